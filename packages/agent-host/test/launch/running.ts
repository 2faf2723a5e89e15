import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { isAlive, startTimeOf } from '@cortexfs/linux/process';
import t, { type Test } from 'tap';
import { ProcessTree } from '../../src/cli/process-tree.ts';
import type { LaunchChoice } from '../../src/launch/choice.ts';
import { type StartReport, startAgent } from '../../src/launch/start.ts';
import { stopAgent } from '../../src/launch/stop.ts';
import { CODER, DEFAULT, makeSite, type TestSite } from '../site.ts';

const MAIN = fileURLToPath(new URL('../../dist/agent-host.js', import.meta.url));

/** A site whose agent is stopped at the end of the test, whatever state it is in. */
export function makeRunnable(t: Test, controls: Readonly<Record<string, string>> = {}): TestSite {
  const site = makeSite(t, controls);
  t.teardown(() => stopAgent(site, CODER, 'end of the test').catch(() => {}));
  return site;
}

export async function start(
  site: TestSite,
  more: LaunchChoice & { workspace?: string | null } = {},
): Promise<StartReport> {
  const report = await startAgent({
    site,
    name: CODER,
    session: DEFAULT,
    workspace: site.workspace,
    ...more,
  });
  // A start ends sandboxes that any test left which kills launchers; those are none of this test's.
  return { ...report, found: report.found.filter((what) => !what.startsWith('ended a sandbox')) };
}

/** Kills an instance, and waits until it and what dies with it, the sandbox that it kept, are gone. */
export async function killed({ pid, start_time }: LaunchReceipt): Promise<void> {
  const dying = [pid, ...new ProcessTree().below(pid)].map((each) => ({
    pid: each,
    start: startTimeOf(each),
  }));
  t.equal(dying[0]!.start, start_time, 'the receipt is about this process');
  process.kill(pid, 'SIGKILL');
  const left = () => dying.filter(({ pid, start }) => start !== undefined && isAlive(pid, start));
  for (const deadline = Date.now() + 60_000; left().length > 0; await delay(10))
    if (Date.now() > deadline) throw new Error(`still there: ${JSON.stringify(left())}`);
}

export interface CommandOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** `agent-host` as a process of its own. */
export function agentHost(site: TestSite, ...args: string[]) {
  const options = [
    '--root',
    site.root,
    '--source',
    site.store,
    '--runtime',
    site.runtime,
    '--workspace',
    site.workspace,
  ];
  const command = args.includes('--') ? args.splice(args.indexOf('--')) : [];
  const child = spawn(process.execPath, [MAIN, ...args, ...options, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outcome: Promise<CommandOutcome> = Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]).then(([[code], stdout, stderr]) => ({ code, stdout, stderr }));
  return { child, outcome };
}

/** What the stand-in terminal says about itself. */
export async function askTerminal(socket: string): Promise<Record<string, unknown>> {
  return (await json(connect(socket))) as Record<string, unknown>;
}

export async function pingAgent(socket: string): Promise<string> {
  const client = connect(socket);
  client.write('{"op":"ping"}\n');
  const [answer] = await once(client, 'data');
  client.destroy();
  return String(answer);
}
