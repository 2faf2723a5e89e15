import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { lockFile, tryLock } from '../src/flock.ts';

t.test('one holder at a time; released, the next one gets it', async (t) => {
  const path = join(t.testdir(), 'lock');
  const first = await lockFile(path);
  t.equal(statSync(path).mode & 0o777, 0o600);
  await t.rejects(lockFile(path), { code: 'EBUSY', path });
  const waiting = lockFile(path, { timeoutMs: 5000 });
  setTimeout(() => first.release(), 50);
  (await waiting).release();
  (await lockFile(path)).release();
});

t.test('gives up after the time-out', async (t) => {
  const path = join(t.testdir(), 'lock');
  const held = await lockFile(path);
  const start = performance.now();
  await t.rejects(lockFile(path, { timeoutMs: 100 }), { code: 'EBUSY' });
  t.ok(performance.now() - start >= 99);
  held.release();
});

t.test('the lock of a killed process is free', async (t) => {
  const path = join(t.testdir({ lock: '' }), 'lock');
  const holder = spawn('/usr/bin/flock', ['-x', path, '/bin/sh', '-c', 'echo locked; exec sleep 30'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  await once(holder.stdout, 'data');
  await t.rejects(lockFile(path), { code: 'EBUSY' });
  process.kill(-holder.pid!, 'SIGKILL');
  (await lockFile(path, { timeoutMs: 2000 })).release();
});

t.test('a symlink is refused, an unlockable descriptor is an error', async (t) => {
  const dir = t.testdir({ victim: 'text' });
  symlinkSync('victim', join(dir, 'lock'));
  await t.rejects(lockFile(join(dir, 'lock')), { code: 'ELOOP' });
  t.equal(readFileSync(join(dir, 'victim'), 'utf8'), 'text');
  const fd = openSync(join(dir, 'victim'), 'r');
  t.ok(tryLock(fd));
  closeSync(fd);
  t.throws(() => tryLock(fd), { code: 'EBADF' });
});
