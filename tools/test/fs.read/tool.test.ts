import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { MAX_READ_BYTES, tool } from '../../fs.read/tool.ts';
import { asAgent, call, scratch } from '../scratch.ts';

t.test('a text file is its text and nothing else', async (t) => {
  const path = join(scratch(t), 'f');
  writeFileSync(path, 'line\n中文\n');
  t.same(await call(tool, { path }), ['line\n中文\n']);
  writeFileSync(path, '');
  t.same(await call(tool, { path }), ['']);
});

t.test('bytes that are not text come as base64 with a marker', async (t) => {
  const path = join(scratch(t), 'f');
  writeFileSync(path, Buffer.from([0, 0xff, 1]));
  t.same(await call(tool, { path }), ['AP8B', '\n{"encoding":"base64"}']);
});

t.test('offset and limit give a page and tell where to go on', async (t) => {
  const path = join(scratch(t), 'f');
  writeFileSync(path, '0123456789');
  t.same(await call(tool, { path, offset: 2, limit: 3 }), ['234', '\n{"truncated":true,"next_offset":5}']);
  t.same(await call(tool, { path, offset: 5, limit: 5 }), ['56789']);
  t.same(await call(tool, { path, offset: 10 }), ['']);
  t.same(await call(tool, { path, offset: 2 ** 40 }), ['']);
  writeFileSync(path, 'ab😀');
  t.same(await call(tool, { path, limit: 4 }), ['ab', '\n{"truncated":true,"next_offset":2}']);
  t.same(await call(tool, { path, offset: 2, limit: 2 }), [
    '8J8=',
    '\n{"encoding":"base64","truncated":true,"next_offset":4}',
  ]);
});

t.test('a call returns at most 1 MiB: minus one, exactly, plus one', async (t) => {
  const path = join(scratch(t), 'f');
  for (const size of [MAX_READ_BYTES - 1, MAX_READ_BYTES]) {
    writeFileSync(path, 'x'.repeat(size));
    const [text, note] = await call(tool, { path });
    t.equal(text?.length, size);
    t.equal(note, undefined);
  }
  writeFileSync(path, 'x'.repeat(MAX_READ_BYTES + 1));
  const [text, note] = await call(tool, { path });
  t.equal(text?.length, MAX_READ_BYTES);
  t.equal(note, `\n{"truncated":true,"next_offset":${MAX_READ_BYTES}}`);
});

t.test('a sparse file of 1 TiB costs one page', async (t) => {
  const path = join(scratch(t), 'f');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 40);
  const [text, note] = await call(tool, { path, offset: 2 ** 40 - 2, limit: 10 });
  t.equal(text, '\0\0');
  t.equal(note, undefined);
});

t.test('files that tell no size are read to their end', async (t) => {
  const [text] = await call(tool, { path: '/proc/self/status' });
  t.match(text, /^Name:/);
});

t.test('what is not a regular file is refused, without waiting for it', async (t) => {
  const dir = scratch(t);
  execFileSync('mkfifo', [join(dir, 'fifo')]);
  mkdirSync(join(dir, 'folder'));
  const server = createServer().listen(join(dir, 'socket'));
  await new Promise((done) => server.once('listening', done));
  t.teardown(() => server.close());
  symlinkSync('fifo', join(dir, 'link'));
  await t.rejects(call(tool, { path: join(dir, 'fifo') }), {
    code: 'EINVAL',
    message: 'is a fifo, not a regular file',
  });
  await t.rejects(call(tool, { path: join(dir, 'link') }), { code: 'EINVAL' });
  await t.rejects(call(tool, { path: join(dir, 'socket') }), { code: 'EINVAL' });
  await t.rejects(call(tool, { path: '/dev/zero' }), {
    code: 'EINVAL',
    message: 'is a char-device, not a regular file',
  });
  await t.rejects(call(tool, { path: join(dir, 'folder') }), { code: 'EISDIR', path: join(dir, 'folder') });
  await t.rejects(call(tool, { path: join(dir, 'missing') }), { code: 'ENOENT', path: join(dir, 'missing') });
});

t.test('for an agent a link out of its mount is refused, the file beside it is read', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'f'), 'ok');
  symlinkSync('/proc/self/status', join(dir, 'out'));
  t.match(await call(tool, { path: join(dir, 'out') }), [/^Name:/], 'a human follows it');
  asAgent(t);
  t.same(await call(tool, { path: join(dir, 'f') }), ['ok']);
  await t.rejects(call(tool, { path: join(dir, 'out') }), { code: 'EACCES', layer: 'mount' });
});

t.test('a file that permissions close is EACCES', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'f'), 's');
  chmodSync(join(dir, 'f'), 0);
  chmodSync(dir, 0o711);
  if (process.getuid!() === 0) {
    process.seteuid!(65534);
    t.teardown(() => process.seteuid!(0));
  }
  let failure: unknown;
  try {
    await call(tool, { path: join(dir, 'f') });
  } catch (err) {
    failure = err;
  } finally {
    if (process.getuid!() === 0) process.seteuid!(0);
  }
  t.match(failure, { code: 'EACCES' });
});
