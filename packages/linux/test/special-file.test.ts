import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { makeSpecialFile } from '../src/special-file.ts';

t.test('a FIFO and a socket’s name', (t) => {
  const dir = t.testdir({ taken: '' });
  const umask = process.umask(0o022);
  t.teardown(() => process.umask(umask));
  makeSpecialFile(join(dir, 'fifo'), 0o010666);
  t.ok(lstatSync(join(dir, 'fifo')).isFIFO());
  t.equal(lstatSync(join(dir, 'fifo')).mode & 0o777, 0o644, 'the umask applies');
  makeSpecialFile(join(dir, 'sock'), 0o140600);
  t.ok(lstatSync(join(dir, 'sock')).isSocket());
  t.throws(() => makeSpecialFile(join(dir, 'taken'), 0o010600), { code: 'EEXIST' });
  t.throws(() => makeSpecialFile(join(dir, 'no/fifo'), 0o010600), { code: 'ENOENT' });
  t.end();
});
