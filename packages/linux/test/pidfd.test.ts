import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, readdirSync } from 'node:fs';
import t from 'tap';
import { openPidfd, signalPidfd, signalVerified } from '../src/pidfd.ts';
import { startTimeOf } from '../src/process.ts';

t.test('signals the process that a pid and start time name', async (t) => {
  const child = spawn('/bin/sleep', ['10']);
  const start = startTimeOf(child.pid!)!;
  t.ok(signalVerified(child.pid!, start, 0));
  t.ok(signalVerified(child.pid!, start, 'SIGTERM'));
  t.equal((await once(child, 'exit'))[1], 'SIGTERM');
  t.notOk(signalVerified(child.pid!, start, 'SIGTERM'));
});

t.test('a process with the same pid but another start time is never touched', async (t) => {
  const child = spawn('/bin/sleep', ['10']);
  const start = startTimeOf(child.pid!)!;
  t.notOk(signalVerified(child.pid!, start - 1, 'SIGKILL'));
  t.ok(signalVerified(child.pid!, start, 0), 'still there');
  child.kill('SIGKILL');
  await once(child, 'exit');
});

t.test('no descriptor is leaked, whatever the answer', (t) => {
  const { pid } = spawnSync('/bin/true');
  const count = () => readdirSync('/proc/self/fd').length;
  signalVerified(process.pid, startTimeOf(process.pid)!, 0);
  const before = count();
  for (let i = 0; i < 50; i++) {
    signalVerified(pid, 1, 0);
    signalVerified(process.pid, 1, 0);
    signalVerified(process.pid, startTimeOf(process.pid)!, 0);
  }
  t.equal(count(), before);
  t.end();
});

t.test('errors are those of the system', (t) => {
  const { pid } = spawnSync('/bin/true');
  t.throws(() => openPidfd(pid), { code: 'ESRCH' });
  t.throws(() => openPidfd(-1), { code: 'EINVAL' });
  const own = openPidfd(process.pid);
  signalPidfd(own, 0);
  closeSync(own);
  t.throws(() => signalPidfd(own, 0), { code: 'EBADF' });
  t.end();
});
