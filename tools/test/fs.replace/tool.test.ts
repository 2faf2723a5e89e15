import {
  chmodSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { MAX_FILE_BYTES, tool } from '../../fs.replace/tool.ts';
import { asAgent, call, scratch } from '../scratch.ts';

t.test('the one occurrence is replaced, mode kept', async (t) => {
  const path = join(scratch(t), 'f');
  writeFileSync(path, 'one two three');
  chmodSync(path, 0o755);
  t.same(await call(tool, { path, old: 'two', new: '2' }), ['{"replaced":1}']);
  t.equal(readFileSync(path, 'utf8'), 'one 2 three');
  t.equal(statSync(path).mode & 0o777, 0o755);
});

t.test('several occurrences need all', async (t) => {
  const path = join(scratch(t), 'f');
  writeFileSync(path, 'a-a-a');
  await t.rejects(call(tool, { path, old: 'a', new: 'b' }), { code: 'EINVAL', message: /occurs 3 times/ });
  await t.rejects(call(tool, { path, old: 'a', new: 'b', all: false }), { code: 'EINVAL' });
  t.equal(readFileSync(path, 'utf8'), 'a-a-a');
  t.same(await call(tool, { path, old: 'a', new: '', all: true }), ['{"replaced":3}']);
  t.equal(readFileSync(path, 'utf8'), '--');
});

t.test('no occurrence is ENOENT, as is no file', async (t) => {
  const path = join(scratch(t), 'f');
  await t.rejects(call(tool, { path, old: 'x', new: 'y' }), {
    code: 'ENOENT',
    message: 'no such file or directory',
  });
  writeFileSync(path, 'text');
  await t.rejects(call(tool, { path, old: 'q', new: 'y' }), {
    code: 'ENOENT',
    message: 'the old text does not occur',
  });
});

t.test('8 MiB is the limit, before and after', async (t) => {
  const path = join(scratch(t), 'f');
  writeFileSync(path, Buffer.alloc(MAX_FILE_BYTES, 'x'));
  t.same(await call(tool, { path, old: 'x', new: 'y', all: true }), [`{"replaced":${MAX_FILE_BYTES}}`]);
  await t.rejects(call(tool, { path, old: 'y', new: 'zz', all: true }), {
    code: 'EFBIG',
    message: /would become/,
  });
  t.equal(statSync(path).size, MAX_FILE_BYTES);
  truncateSync(path, MAX_FILE_BYTES + 1);
  await t.rejects(call(tool, { path, old: 'y', new: 'z', all: true }), {
    code: 'EFBIG',
    message: /is larger/,
  });
});

t.test('what is around the text need not be UTF-8', async (t) => {
  const path = join(scratch(t), 'f');
  writeFileSync(path, Buffer.from([0xff, 0xc3, 0xa9, 0xfe]));
  await call(tool, { path, old: 'é', new: '中' });
  t.same(readFileSync(path), Buffer.from([0xff, 0xe4, 0xb8, 0xad, 0xfe]));
});

t.test('directories and links out are refused', async (t) => {
  const dir = scratch(t);
  mkdirSync(join(dir, 'd'));
  symlinkSync('/proc/self/status', join(dir, 'out'));
  await t.rejects(call(tool, { path: join(dir, 'd'), old: 'a', new: 'b' }), { code: 'EISDIR' });
  asAgent(t);
  await t.rejects(call(tool, { path: join(dir, 'out'), old: 'Name', new: 'b' }), {
    code: 'EACCES',
    layer: 'mount',
  });
});
