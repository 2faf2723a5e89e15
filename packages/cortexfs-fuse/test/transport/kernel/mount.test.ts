import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  fdatasyncSync,
  fsync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statfsSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { renameExchange, renameNoReplace } from '@cortexfs/linux/rename';
import t from 'tap';
import { mounted, mountPoint } from './support/daemon.ts';

const run = promisify(execFile);
const asRoot = { skip: process.getuid?.() === 0 ? false : 'needs root' };

t.test('ordinary operations on a real mount', async (t) => {
  const root = mountPoint(t);
  await mounted(t, root);
  const path = (name: string) => join(root, name);

  t.test('files', (t) => {
    const data = randomBytes(5 * 1024 * 1024 + 1);
    writeFileSync(path('big'), data);
    t.ok(readFileSync(path('big')).equals(data), '5 MiB come back as they went');
    truncateSync(path('big'), 3);
    t.equal(statSync(path('big')).size, 3);
    writeFileSync(path('big'), 'append', { flag: 'a' });
    t.same(readFileSync(path('big')), Buffer.concat([data.subarray(0, 3), Buffer.from('append')]));
    utimesSync(path('big'), 1, 2.5);
    t.match(statSync(path('big')), { atimeMs: 1000, mtimeMs: 2500 });
    t.throws(() => openSync(path('big'), 'wx'), { code: 'EEXIST' });
    const fd = openSync(path('big'), 'r+');
    fsyncSync(fd);
    fdatasyncSync(fd);
    closeSync(fd);
    t.end();
  });

  t.test('names', (t) => {
    mkdirSync(path('dir'));
    writeFileSync(path('dir/文件 🗎'), 'x');
    t.same(readdirSync(path('dir')), ['文件 🗎']);
    t.throws(() => rmdirSync(path('dir')), { code: 'ENOTEMPTY' });
    renameSync(path('dir/文件 🗎'), path('dir/a'));
    linkSync(path('dir/a'), path('dir/b'));
    t.equal(statSync(path('dir/a')).nlink, 2);
    symlinkSync('a', path('dir/l'));
    t.equal(readlinkSync(path('dir/l')), 'a');
    t.equal(readFileSync(path('dir/l'), 'utf8'), 'x');
    t.throws(() => renameNoReplace(path('dir/a'), path('dir/l')), { code: 'EEXIST' });
    renameExchange(path('dir/a'), path('dir/l'));
    t.equal(readlinkSync(path('dir/a')), 'a');
    for (const name of ['a', 'b', 'l']) unlinkSync(path(`dir/${name}`));
    rmdirSync(path('dir'));
    t.throws(() => statSync(path('dir')), { code: 'ENOENT' });
    t.throws(() => mkdirSync(Buffer.from(`${root}/\xff`, 'latin1')), { code: 'EILSEQ' });
    t.throws(() => writeFileSync(path('n'.repeat(256)), ''), { code: 'ENAMETOOLONG' });
    t.equal(statfsSync(root).bsize, 4096);
    t.end();
  });

  t.test('2,000 entries', (t) => {
    mkdirSync(path('many'));
    const names = Array.from({ length: 2000 }, (_, i) => `entry-${String(i).padStart(4, '0')}`);
    for (const name of names) writeFileSync(path(`many/${name}`), '');
    t.same(readdirSync(path('many')).sort(), names);
    t.ok(readdirSync(path('many'), { withFileTypes: true }).every((entry) => entry.isFile()));
    t.end();
  });

  t.test('errors of the file system, also at close, and faults', (t) => {
    const fd = openSync(path('control'), 'w');
    writeFileSync(fd, 'bad value\n');
    t.throws(() => closeSync(fd), { code: 'EINVAL' });
    writeFileSync(path('fault'), 'fault');
    t.throws(() => readFileSync(path('fault')), { code: 'EIO' });
    t.ok(statSync(path('whoami')).isFile(), 'and it goes on');
    t.end();
  });

  t.test('a script on it runs, many at once', async (t) => {
    writeFileSync(path('script'), '#!/bin/sh\necho "ran $1"\n', { mode: 0o755 });
    const results = await Promise.all(Array.from({ length: 10 }, (_, i) => run(path('script'), [String(i)])));
    t.same(
      results.map(({ stdout }) => stdout),
      Array.from({ length: 10 }, (_, i) => `ran ${i}\n`),
    );
  });

  t.test('the caller is known', async (t) => {
    const { stdout } = await run('/bin/cat', [path('whoami')]);
    const caller = JSON.parse(stdout);
    t.match(caller, { uid: process.getuid?.(), gid: process.getgid?.() });
    t.ok(caller.pid > 1);
  });
});

t.test('the supplementary groups of other users are known', asRoot, async (t) => {
  const root = mountPoint(t);
  await mounted(t, root, { allowOther: true });
  const who = ['--reuid=12345', '--regid=12346', '--groups=12347,12348', '/bin/cat', join(root, 'whoami')];
  const { stdout } = await run('/usr/bin/setpriv', who);
  t.match(JSON.parse(stdout), { uid: 12345, gid: 12346, groups: [12347, 12348] });
  writeFileSync(join(root, 'private'), 'x', { mode: 0o600 });
  const refused = run('/usr/bin/setpriv', [...who.slice(0, -1), join(root, 'private')]);
  await t.rejects(refused, /Permission denied/);
});

t.test('bytes of a real file pass through, for many readers at once', async (t) => {
  const data = randomBytes(8 * 1024 * 1024);
  const real = join(t.testdir({ real: data }), 'real');
  const root = mountPoint(t);
  await mounted(t, root, { backed: { file: real } });
  const hash = createHash('sha256').update(data).digest('hex');
  const sums = await Promise.all(
    Array.from({ length: 8 }, () => run('/usr/bin/sha256sum', [join(root, 'file')])),
  );
  t.ok(sums.every(({ stdout }) => stdout.startsWith(hash)));

  const fd = openSync(join(root, 'file'), 'r+');
  writeFileSync(fd, 'changed');
  await Promise.all(Array.from({ length: 20 }, () => promisify(fsync)(fd)));
  fdatasyncSync(fd);
  closeSync(fd);
  t.equal(readFileSync(real).subarray(0, 7).toString(), 'changed');
});

t.test('the kernel forgets what it is told to', async (t) => {
  const root = mountPoint(t);
  await mounted(t, root, { ttl: 3_600_000 });
  const file = join(root, 'file');
  writeFileSync(file, 'first\n');
  t.equal(readFileSync(file, 'utf8'), 'first\n');
  symlinkSync('file', join(root, 'replace'));
  for (let i = 0; i < 100 && readFileSync(file, 'utf8') === 'first\n'; i++)
    await new Promise((r) => setTimeout(r, 20));
  t.equal(readFileSync(file, 'utf8'), 'replaced, and longer than before\n');
});

t.test('readers killed in the middle do no harm', async (t) => {
  const root = mountPoint(t);
  const daemon = await mounted(t, root, { ttl: 0 });
  for (let round = 0; round < 10; round++) {
    const loop = `while :; do cat ${root}/whoami; ls -l ${root}; done >/dev/null`;
    const readers = [1, 2, 3].map(() => spawn('/bin/sh', ['-c', loop], { stdio: 'ignore', detached: true }));
    await new Promise((r) => setTimeout(r, 50 + round * 7));
    for (const { pid } of readers) process.kill(-pid!, 'SIGKILL');
    await Promise.all(readers.map((reader) => reader.exitCode ?? reader.signalCode ?? once(reader, 'exit')));
  }
  t.match(readFileSync(join(root, 'whoami'), 'utf8'), /^\{"uid"/);
  daemon.signal('SIGUSR2');
  t.equal(await daemon.line(), 'ended unmounted', 'nothing was logged meanwhile');
});
