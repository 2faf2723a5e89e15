import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Cgroup, ownCgroup } from '@cortexfs/linux/cgroup';
import t from 'tap';
import { TestHost } from './host.ts';

/** All processes below one, by the kernel's list of children, in whatever session or group. */
function descendants(pid: number): number[] {
  const children = procFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [...children, ...children.flatMap(descendants)];
}

/** Empty for a process that has just ended. */
function procFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let looks = 0; !holds(); looks++) {
    if (looks > 3000) throw new Error(`in vain: ${what}`);
    await delay(10);
  }
}

t.test('a run is cancelled with everything that its tool started', async (t) => {
  const host = await TestHost.start(t, { env: 'step_timeout_s=60\n' });
  const pid = host.process!.pid!;
  const client = await host.client();
  client.send({ op: 'send', id: 'fork', session: 'cancel', input: 'call forking' });
  const { run } = await client.type('start');
  const sleepers = () => descendants(pid).filter((one) => procFile(one, 'cmdline').startsWith('sleep\0'));
  await until('both children sleep', () => sleepers().length >= 2);
  const running = descendants(pid);

  const home = cgroupHome(pid);
  t.equal(home === undefined, !mayMakeGroups(), 'the sandbox has a control group wherever one can be made');
  if (home !== undefined) {
    const inside = readdirSync(home, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => Cgroup.existing(join(home, name)).processes);
    t.ok(
      sleepers().every((one) => inside.includes(one)),
      'and all of its processes are in it',
    );
    t.notOk(inside.includes(pid), 'not the host');
  }

  client.send({ op: 'cancel', id: run });
  t.match(await client.type('done'), { status: 'cancelled' });
  t.equal(readFileSync(join(host.site.workspace, 'terminated'), 'utf8'), 'told\n', 'SIGTERM came first');
  t.strictSame(
    running.filter((one) => existsSync(`/proc/${one}/exe`) && isAlive(one)),
    [],
    'nothing is left',
  );
  const stored = host.file('events.jsonl', 'cancel');
  t.strictSame(
    host.records('events.jsonl', 'cancel').map(({ type }) => type),
    ['start', 'tool_call', 'done'],
  );
  const next = await client.send({ op: 'send', id: 'next', session: 'one', input: 'answer' }).run('next');
  t.match(next.at(-1), { status: 'ok' });
  t.equal(host.file('events.jsonl', 'cancel'), stored, 'nothing is recorded after it');
  if (home !== undefined) await until('its group is gone', () => emptyGroup(home));
  client.close();
  await host.end('SIGTERM');
  t.notOk(home !== undefined && existsSync(home), 'the host takes its groups with it');
});

t.test('a request that waits can be cancelled before any process', async (t) => {
  const host = await TestHost.start(t, { env: 'step_timeout_s=60\n' });
  const client = await host.client();
  client.send({ op: 'send', id: 'first', session: 'cancel', input: 'wait' });
  const first = await client.type('start');
  client.send({ op: 'send', id: 'never', session: 'cancel', input: 'call fs.read' });
  client.send({ op: 'cancel', id: 'never' });
  t.match(await client.until((frame) => frame['request_id'] === 'never'), { code: 'ECANCELED' });
  client.send({ op: 'cancel', id: first['run'] });
  await client.type('done');
  t.notOk(existsSync(join(host.site.workspace, 'ran')));
  client.close();
});

function cgroupHome(pid: number): string | undefined {
  const parent = ownCgroup();
  const name = parent && readdirSync(parent).find((one) => one.match(`^cortexfs-coder-host-\\d+-${pid}-`));
  return name && join(parent!, name);
}

function mayMakeGroups(): boolean {
  const parent = ownCgroup();
  return parent !== undefined && Cgroup.make(parent, `cortexfs-test-${process.pid}`)?.remove() === true;
}

function emptyGroup(home: string): boolean {
  return !readdirSync(home, { withFileTypes: true }).some((entry) => entry.isDirectory());
}

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z');
  } catch {
    return false;
  }
}
