import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import t from 'tap';
import { ageOf, credentialsOf, groupsOf, isAlive, parentOf, startTimeOf, statOf } from '../src/process.ts';

t.test('this process is alive under its own start time and under no other', (t) => {
  const start = startTimeOf(process.pid)!;
  t.ok(start > 0);
  t.ok(isAlive(process.pid, start));
  t.notOk(isAlive(process.pid, start + 1));
  t.equal(parentOf(process.pid), process.ppid);
  t.end();
});

t.test('the age of a process grows with it and does not ask the clock', async (t) => {
  const child = spawn('/bin/sleep', ['60'], { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const [own, young] = [ageOf(process.pid)!, ageOf(child.pid!)!];
  t.ok(own >= young, 'a child is not older than its parent');
  const now = Date.now;
  t.teardown(() => {
    Date.now = now;
  });
  Date.now = () => now() - 3_600_000;
  t.ok(ageOf(child.pid!)! >= young, 'also when the clock is set back an hour');
  t.equal(ageOf(2 ** 22 + 1), undefined, 'there is no such process');
});

t.test('a command name with parentheses and blanks does not shift the fields', async (t) => {
  const child = spawn('/bin/sh', ['-c', `printf ') R 1 (' > /proc/self/comm; read line`], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  await once(child, 'spawn');
  t.teardown(() => child.kill('SIGKILL'));
  while (!readFileSync(`/proc/${child.pid}/comm`, 'utf8').includes(') R 1 ('))
    await new Promise((r) => setTimeout(r, 5));
  t.equal(parentOf(child.pid!), process.pid);
  t.match(statOf(child.pid!)?.state, /^[RSD]$/);
});

t.test('a zombie is dead', async (t) => {
  const script = 'sh -c "read line" <&3 & echo $!; exec sleep 10';
  const parent = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] });
  t.teardown(() => parent.kill('SIGKILL'));
  const [line] = (await once(parent.stdout!, 'data')) as [Buffer];
  const pid = Number(line.toString());
  const pause = () => new Promise((r) => setTimeout(r, 5));
  // A shell would take its child away; the sleep that it becomes never waits for one, so that it stays a zombie.
  while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8') !== 'sleep\n') await pause();
  (parent.stdio[3] as Writable).end('\n');
  while (statOf(pid)?.state !== 'Z') await pause();
  t.notOk(isAlive(pid, startTimeOf(pid)!));
});

t.test('a pid that does not exist, or is no pid, has no facts', (t) => {
  const { pid } = spawnSync('/bin/true');
  for (const bad of [pid, 0, -1, 1.5, Number.NaN, 2 ** 31]) {
    t.equal(statOf(bad), undefined);
    t.equal(startTimeOf(bad), undefined);
    t.equal(credentialsOf(bad), undefined);
  }
  t.end();
});

t.test('credentials are the file-system ids and the supplementary groups', (t) => {
  const own = credentialsOf(process.pid);
  t.equal(own?.uid, process.geteuid?.());
  t.equal(own?.gid, process.getegid?.());
  // Node adds the primary group to its own list.
  t.same(new Set([...groupsOf(process.pid)!, process.getegid!()]), new Set(process.getgroups!()));
  t.end();
});

t.test(
  'another user’s credentials can be read',
  { skip: process.getuid?.() === 0 ? false : 'needs root' },
  async (t) => {
    const child = spawn('/usr/bin/setpriv', [
      '--reuid=12345',
      '--regid=12346',
      '--groups=7,8',
      '/bin/sleep',
      '10',
    ]);
    t.teardown(() => child.kill('SIGKILL'));
    await once(child, 'spawn');
    while (credentialsOf(child.pid!)?.uid !== 12345) await new Promise((r) => setTimeout(r, 5));
    t.same(credentialsOf(child.pid!), { uid: 12345, gid: 12346, groups: [7, 8] });
  },
);
