import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
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

export async function start(site: TestSite, more: { workspace?: string } = {}): Promise<StartReport> {
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
  const child = spawn(process.execPath, [MAIN, ...args, ...options], {
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
