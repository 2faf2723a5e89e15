import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { setFileTimes } from '../src/file-times.ts';

t.test('sets each time to the nanosecond, leaves what is not given', (t) => {
  const path = join(t.testdir({ file: '' }), 'file');
  const times = () => {
    const { atimeNs, mtimeNs } = statSync(path, { bigint: true });
    return [atimeNs, mtimeNs];
  };
  setFileTimes(path, { atime: 1_000_000_001n, mtime: 1_700_000_000_123_456_789n });
  t.same(times(), [1_000_000_001n, 1_700_000_000_123_456_789n]);
  setFileTimes(path, { atime: undefined, mtime: -1n });
  t.same(times(), [1_000_000_001n, -1n], 'before 1970');
  setFileTimes(path, { atime: -5_000_000_000n, mtime: undefined });
  t.same(times(), [-5_000_000_000n, -1n]);
  const before = BigInt(Date.now() - 60_000) * 1_000_000n;
  setFileTimes(path, { atime: 'now', mtime: undefined });
  t.ok(times()[0]! > before);
  t.equal(times()[1], -1n);
  t.end();
});

t.test('follows a link, and says when there is nothing', (t) => {
  const dir = t.testdir({ file: '' });
  symlinkSync('file', join(dir, 'link'));
  setFileTimes(join(dir, 'link'), { atime: 5n, mtime: 6n });
  t.equal(statSync(join(dir, 'file'), { bigint: true }).mtimeNs, 6n);
  t.throws(() => setFileTimes(join(dir, 'none'), { atime: 1n, mtime: 1n }), { code: 'ENOENT' });
  t.end();
});
