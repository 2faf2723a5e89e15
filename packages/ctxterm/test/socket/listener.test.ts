import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { Listener } from '../../src/socket/listener.ts';
import { scratch } from '../support/served.ts';

const open = (t: Parameters<typeof scratch>[0], path: string) => {
  const listener = new Listener(path, (socket) => socket.destroy());
  t.teardown(() => listener.close());
  return listener.open();
};

t.test('the socket belongs to its owner alone and is gone afterwards', async (t) => {
  const path = join(scratch(t), 's');
  const listener = new Listener(path, (socket) => socket.destroy());
  await listener.open();
  t.equal(lstatSync(path).mode & 0o777, 0o600);
  await listener.reopen();
  t.ok(lstatSync(path).isSocket());
  unlinkSync(path);
  await listener.reopen();
  t.ok(lstatSync(path).isSocket());
  listener.close();
  t.notOk(existsSync(path));
});

t.test('a stale socket is replaced, a living one is not', async (t) => {
  const directory = scratch(t);
  const path = join(directory, 's');
  const living = createServer(() => {}).listen(path);
  await new Promise((resolve) => living.once('listening', resolve));
  await t.rejects(open(t, path), { code: 'EBUSY' });
  t.ok(existsSync(path));
  await new Promise((resolve) => living.close(resolve));
  const { status } = await leaveStaleSocket(path);
  t.equal(status, 0);
  t.ok(lstatSync(path).isSocket());
  await open(t, path);
});

async function leaveStaleSocket(path: string) {
  const { spawnSync } = await import('node:child_process');
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.reallyExit(0))`;
  return spawnSync(process.execPath, ['-e', script]);
}

t.test('what was planted at the path is left alone and refused', async (t) => {
  const directory = scratch(t);
  const victim = join(directory, 'victim');
  writeFileSync(victim, 'precious');
  for (const plant of [
    () => symlinkSync(victim, join(directory, 's')),
    () => writeFileSync(join(directory, 's'), ''),
  ]) {
    plant();
    await t.rejects(open(t, join(directory, 's')), { code: 'EACCES' });
    t.ok(lstatSync(join(directory, 's')));
    unlinkSync(join(directory, 's'));
  }
});

t.test('a directory that others can write, or that belongs to somebody else, is refused', async (t) => {
  const directory = join(scratch(t), 'd');
  mkdirSync(directory);
  for (const mode of [0o777, 0o1777, 0o770]) {
    chmodSync(directory, mode);
    await t.rejects(open(t, join(directory, 's')), { code: 'EACCES' });
  }
  chmodSync(directory, 0o700);
  if (process.geteuid!() === 0) {
    chownSync(directory, 4242, 4242);
    await t.rejects(open(t, join(directory, 's')), { code: 'EACCES' });
    chownSync(directory, 0, 0);
  }
  await open(t, join(directory, 's'));
  await t.rejects(open(t, join(directory, 'missing', 's')), { code: 'ENOENT' });
});

t.test('a path that a socket address cannot hold is refused, not cut', async (t) => {
  t.throws(() => new Listener(`/tmp/${'x'.repeat(120)}`, () => {}), { code: 'ENAMETOOLONG' });
});
