import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { setFileTimes } from '../src/file-times.ts';
import { type InodeStat, statAt } from '../src/stat-at.ts';

const FIELDS: (keyof InodeStat)[] = [
  ...(['dev', 'ino', 'mode', 'nlink', 'uid', 'gid', 'rdev', 'size', 'blocks', 'blksize'] as const),
  ...(['atimeNs', 'mtimeNs', 'ctimeNs', 'birthtimeNs'] as const),
];

const facts = (stat: InodeStat | undefined) => stat && FIELDS.map((field) => `${field} ${stat[field]}`);

t.test('tells what Node tells, of every kind of file', (t) => {
  const folder = t.testdir();
  writeFileSync(join(folder, 'file'), 'x'.repeat(70_000), { mode: 0o4751 });
  linkSync(join(folder, 'file'), join(folder, '文件'));
  mkdirSync(join(folder, 'directory'));
  symlinkSync('nowhere', join(folder, 'link'));
  utimesSync(join(folder, 'directory'), 1, 2);
  setFileTimes(join(folder, 'file'), { atime: -1n, mtime: 4_294_967_296_123_456_789n });
  const paths = [
    ...['file', '文件', 'directory', 'link'].map((name) => [folder, name]),
    ['/dev', 'null'],
    ['/dev', 'pts'],
    ['/proc', 'self'],
  ];
  for (const [directory = '', name = ''] of paths) {
    const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
    const found = statAt(fd, name);
    closeSync(fd);
    t.strictSame(facts(found), facts(lstatSync(join(directory, name), { bigint: true })), name);
  }
  t.end();
});

t.test('what is absent is undefined, what fails is an error', (t) => {
  const folder = t.testdir({ file: '' });
  const fd = openSync(folder, constants.O_RDONLY);
  const file = openSync(join(folder, 'file'), constants.O_RDONLY);
  t.equal(statAt(fd, 'absent'), undefined);
  t.equal(statAt(file, 'below a file'), undefined);
  t.throws(() => statAt(fd, 'n'.repeat(256)), { code: 'ENAMETOOLONG', syscall: 'statx' });
  for (const open of [fd, file]) closeSync(open);
  t.throws(() => statAt(fd, 'file'), { code: 'EBADF' });
  t.end();
});

t.test('one answer does not change with the next', (t) => {
  const folder = t.testdir({ a: 'a', b: 'bb' });
  const fd = openSync(folder, constants.O_RDONLY);
  const [a, b] = ['a', 'b'].map((name) => statAt(fd, name));
  closeSync(fd);
  t.strictSame([a?.size, b?.size], [1n, 2n]);
  t.equal(a?.ino, BigInt(statSync(join(folder, 'a')).ino));
  t.end();
});
