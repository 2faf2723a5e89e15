import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runtimeTree } from '@cortexfs/abi/paths';
import { formatLaunchReceipt, type LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { formatMountReceipt, MOUNT_SCHEMA } from '@cortexfs/abi/receipt/mount';
import { isAlive, startTimeOf, statOf } from '@cortexfs/linux/process';
import t from 'tap';
import { loadDefinition } from '../../src/definition/load.ts';
import { holdInstance } from '../../src/launch/hold.ts';
import type { StartReport } from '../../src/launch/start.ts';
import { agentState } from '../../src/launch/status.ts';
import { stopAgent } from '../../src/launch/stop.ts';
import { CODER, DEFAULT, type TestSite } from '../site.ts';
import { agentHost, killed, makeRunnable, pingAgent, start } from './running.ts';

/** Every process that has the site's path among its arguments. */
function processesOf(site: TestSite): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(site.base);
      } catch {
        return false;
      }
    });
}

t.test('kill -9 of one instance: the other stays, the next start reports and replaces it', async (t) => {
  const site = makeRunnable(t);
  const [host, terminal] = (await start(site)).instances as [LaunchReceipt, LaunchReceipt];

  await killed(host);
  t.match(agentState(site, CODER), {
    status: 'dead',
    instances: [
      { role: 'socket', alive: false },
      { role: 'terminal', alive: true },
    ],
  });
  const second = await start(site);
  t.match(second.found, [
    /socket host \(pid \d+\) had ended without cleaning up/,
    /removed its socket/,
    /removed its alias agent\/coder\.sock/,
  ]);
  const [newHost, sameTerminal] = second.instances as [LaunchReceipt, LaunchReceipt];
  t.not(newHost.pid, host.pid);
  t.same(sameTerminal, terminal);
  t.match(await pingAgent(newHost.socket), '"pong"');

  const before = processesOf(site).length;
  await killed(terminal);
  t.ok(processesOf(site).length < before, 'its sandbox went with it');
  const third = await start(site);
  t.match(third.found, [/terminal of session "default"/, /removed its socket/, /removed its alias/]);
  t.same(third.instances[0], newHost);
  t.ok(existsSync(third.instances[1]!.socket));
});

t.test('two starts at once make one agent', async (t) => {
  const site = makeRunnable(t);
  const [one, two] = await Promise.all([
    agentHost(site, 'start', 'coder', '--json').outcome,
    agentHost(site, 'start', 'coder', '--json').outcome,
  ]);
  t.same([one.code, two.code], [0, 0], `${one.stderr}${two.stderr}`);
  const reports = [JSON.parse(one.stdout), JSON.parse(two.stdout)];
  t.same(reports[0].instances, reports[1].instances);
  t.same(reports.map(({ already }) => already).sort(), [false, true]);
  const leaders = processesOf(site).filter(
    (pid) => statOf(pid)?.session === pid && statOf(pid)?.group === pid,
  );
  t.ok(reports[0].instances.every(({ pid }: LaunchReceipt) => leaders.includes(pid)));
});

t.test('a stop during a start ends with nothing running', async (t) => {
  const site = makeRunnable(t);
  const starting = agentHost(site, 'start', 'coder');
  const tree = runtimeTree(site.runtime);
  while (!existsSync(tree.agentStatus(CODER))) await delay(10);
  const stopped = await agentHost(site, 'stop', 'coder').outcome;
  t.equal(stopped.code, 0, stopped.stderr);
  await starting.outcome;
  t.match(agentState(site, CODER), { status: 'dead', instances: [] });
  t.same(processesOf(site), []);
});

t.test('a start killed in the middle does not stand in the way of the next', async (t) => {
  const site = makeRunnable(t);
  for (const moment of ['status', 'terminal-default.lock', 'terminal-default.json']) {
    const { child, outcome } = agentHost(site, 'start', 'coder');
    const path = join(runtimeTree(site.runtime).launchDir(CODER), moment);
    for (let tries = 0; tries < 3000 && !existsSync(path); tries++) await delay(5);
    child.kill('SIGKILL');
    await outcome;
    const { instances } = await startOnceFree(site);
    t.match(await pingAgent(instances[0]!.socket), '"pong"', moment);
    await stopAgent(site, CODER, moment);
    t.same(processesOf(site), [], moment);
    rmSync(runtimeTree(site.runtime).launchDir(CODER), { recursive: true });
  }
});

t.test('a receipt whose pid belongs to somebody else: nothing is signalled', async (t) => {
  const site = makeRunnable(t);
  const innocent = spawn('/bin/sleep', ['60'], { stdio: 'ignore' });
  t.teardown(() => innocent.kill('SIGKILL'));
  await once(innocent, 'spawn');
  const [host] = (await start(site)).instances as [LaunchReceipt];
  await stopAgent(site, CODER, 'setting the scene');
  const tree = runtimeTree(site.runtime);
  const startTime = startTimeOf(innocent.pid!)!;
  const forged: Partial<LaunchReceipt>[] = [
    { start_time: startTime - 1 },
    { start_time: startTime, boot_id: 'an earlier boot' },
  ];
  for (const change of forged) {
    writeFileSync(tree.socketReceipt(CODER), formatLaunchReceipt({ ...host, pid: innocent.pid!, ...change }));
    t.match(await stopAgent(site, CODER, 'a test'), {
      instances: [{ outcome: 'refused', pid: innocent.pid }],
    });
    t.ok(isAlive(innocent.pid!, startTime));
    t.notOk(existsSync(tree.socketReceipt(CODER)));
  }
});

t.test('a damaged receipt is reported and removed, and what it names is not deleted', async (t) => {
  const site = makeRunnable(t);
  const tree = runtimeTree(site.runtime);
  mkdirSync(tree.launchDir(CODER), { recursive: true });
  chmodSync(tree.launchRoot, 0o700);
  chmodSync(tree.launchDir(CODER), 0o700);
  writeFileSync(tree.socketReceipt(CODER), `{"socket":"${site.base}/workspace/README.md"`);
  t.same(agentState(site, CODER).damaged, [tree.socketReceipt(CODER)]);
  const { found } = await stopAgent(site, CODER, 'a test');
  t.match(found, [/removed a damaged receipt/]);
  t.ok(existsSync(join(site.workspace, 'README.md')));
});

t.test('one role is held once, whoever asks', async (t) => {
  const site = makeRunnable(t);
  const identity = {
    site,
    definition: loadDefinition(site.store, CODER),
    role: 'terminal',
    session: DEFAULT,
    workspace: site.workspace,
  } as const;
  const hold = await holdInstance(identity);
  await t.rejects(holdInstance(identity), {
    code: 'EBUSY',
    message: /terminal of session "default" is already running/,
  });
  await hold.withdraw('a test');
  await (await holdInstance(identity)).withdraw('a test');
});

t.test('a runtime directory that somebody else could have prepared is refused', async (t) => {
  const site = makeRunnable(t);
  chmodSync(site.runtime, 0o777);
  await t.rejects(start(site), { code: 'EACCES', hint: /chmod 700/ });
  chmodSync(site.runtime, 0o700);
  const elsewhere = join(site.base, 'elsewhere');
  mkdirSync(elsewhere, { mode: 0o700 });
  symlinkSync(elsewhere, join(site.runtime, 'launch'));
  await t.rejects(start(site), { code: 'EACCES', message: /not a directory/ });
  t.same(readdirSync(elsewhere), []);
  rmSync(join(site.runtime, 'launch'));
  await start(site);
});

t.test('a terminal whose mount has ended is replaced, and one of the living mount stays', async (t) => {
  const site = makeRunnable(t);
  const [host, terminal] = (await start(site)).instances as [LaunchReceipt, LaunchReceipt];
  const mounted = (start_time: number) =>
    writeFileSync(
      runtimeTree(site.runtime).mountReceipt,
      formatMountReceipt({
        schema: MOUNT_SCHEMA,
        pid: process.pid,
        start_time,
        source: site.store,
        root: site.root,
        transport: 'kernel',
        runner: `${site.store}/bin/cortexfs-object-runner`,
        uid: process.getuid!(),
        created_at: terminal.created_at,
      }),
    );
  mounted(terminal.start_time - 1);
  t.match(await start(site), { already: true, found: [] });
  mounted(terminal.start_time + 1);
  const again = await start(site);
  t.match(again.found, [
    `stopped the terminal of session "default" (pid ${terminal.pid}): the mount that it saw has ended`,
  ]);
  t.equal(again.instances[0]?.pid, host.pid, 'the socket host asks the new mount');
  t.not(again.instances[1]?.pid, terminal.pid);
  t.notOk(isAlive(terminal.pid, terminal.start_time));
  mounted(0);
});

/** What a killed start had started may still be on its way: a second one of a role is never let in. */
async function startOnceFree(site: TestSite): Promise<StartReport> {
  for (const deadline = Date.now() + 60_000; ; await delay(100)) {
    try {
      return await start(site);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || Date.now() > deadline) throw error;
    }
  }
}
