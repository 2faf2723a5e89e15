import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { MAX_WRITE_BYTES } from '../../filesystem/store-file.ts';
import { tool } from '../../fs.write/tool.ts';
import { asAgent, call, scratch } from '../scratch.ts';

t.test('a new file gets the content and the mode of the umask', async (t) => {
  const path = join(scratch(t), 'f');
  const umask = process.umask(0o027);
  t.teardown(() => process.umask(umask));
  t.same(await call(tool, { path, content: '中\n' }), ['{"bytes":4}']);
  t.equal(readFileSync(path, 'utf8'), '中\n');
  t.equal(statSync(path).mode & 0o7777, 0o640);
});

t.test('an old file keeps its mode, and a hard link to it keeps the old content', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'f'), 'old');
  chmodSync(join(dir, 'f'), 0o4751);
  linkSync(join(dir, 'f'), join(dir, 'link'));
  await call(tool, { path: join(dir, 'f'), content: 'new', mode: 'replace' });
  t.equal(readFileSync(join(dir, 'f'), 'utf8'), 'new');
  t.equal(readFileSync(join(dir, 'link'), 'utf8'), 'old');
  t.equal(statSync(join(dir, 'f')).mode & 0o7777, 0o751, 'but no set-user-id bit');
});

t.test('create takes only a free name', async (t) => {
  const dir = scratch(t);
  const path = join(dir, 'f');
  t.same(await call(tool, { path, content: 'a', mode: 'create' }), ['{"bytes":1}']);
  await t.rejects(call(tool, { path, content: 'b', mode: 'create' }), { code: 'EEXIST', path });
  t.equal(readFileSync(path, 'utf8'), 'a');
  t.same(readdirSync(dir), ['f'], 'nothing temporary stays');
});

t.test('a link inside is written through, the link stays', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'real'), 'old');
  symlinkSync('real', join(dir, 'link'));
  symlinkSync('later', join(dir, 'dangling'));
  asAgent(t);
  await call(tool, { path: join(dir, 'link'), content: 'new' });
  await call(tool, { path: join(dir, 'dangling'), content: 'made' });
  t.equal(readFileSync(join(dir, 'real'), 'utf8'), 'new');
  t.equal(readlinkSync(join(dir, 'link')), 'real');
  t.equal(readFileSync(join(dir, 'later'), 'utf8'), 'made');
});

t.test('an agent writes nothing through a link that leads out of its mount', async (t) => {
  const dir = scratch(t);
  symlinkSync('/proc/self/comm', join(dir, 'out'));
  asAgent(t);
  await t.rejects(call(tool, { path: join(dir, 'out'), content: 'x' }), { code: 'EACCES', layer: 'mount' });
  await call(tool, { path: join(dir, 'in'), content: 'x' });
});

t.test('what cannot be replaced by a file has its errno, and stays', async (t) => {
  const dir = scratch(t);
  mkdirSync(join(dir, 'd'));
  execFileSync('mkfifo', [join(dir, 'fifo')]);
  await t.rejects(call(tool, { path: join(dir, 'd'), content: '' }), { code: 'EISDIR' });
  await t.rejects(call(tool, { path: join(dir, 'fifo'), content: '' }), { code: 'EINVAL' });
  await t.rejects(call(tool, { path: join(dir, 'none/f'), content: '' }), { code: 'ENOENT' });
  await t.rejects(call(tool, { path: join(dir, 'new/'), content: '' }), { code: 'ENOENT' });
  await t.rejects(call(tool, { path: dir, content: '', mode: 'create' }), { code: 'EEXIST' });
  t.same(readdirSync(dir).sort(), ['d', 'fifo']);
});

t.test('1 MiB of UTF-8 is the limit', async (t) => {
  const path = join(scratch(t), 'f');
  t.same(await call(tool, { path, content: 'x'.repeat(MAX_WRITE_BYTES) }), [`{"bytes":${MAX_WRITE_BYTES}}`]);
  const content = 'é'.repeat(MAX_WRITE_BYTES / 2 + 1);
  await t.rejects(call(tool, { path, content }), { code: 'EMSGSIZE', path });
  t.equal(statSync(path).size, MAX_WRITE_BYTES);
});

t.test('a file that its mode closes is not replaced behind its back', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'f'), 'old');
  chmodSync(join(dir, 'f'), 0o444);
  const user = process.getuid!() === 0 ? 65534 : undefined;
  if (process.getuid!() === 0) chownSync(dir, 65534, 65534);
  t.equal(codeOf(join(dir, 'f'), user), 'EACCES');
  t.equal(readFileSync(join(dir, 'f'), 'utf8'), 'old');
  chmodSync(join(dir, 'f'), 0o666);
  t.equal(codeOf(join(dir, 'f'), user), 'ok');
});

t.test('root leaves a file to its owner', async (t) => {
  const path = join(scratch(t), 'f');
  writeFileSync(path, 'old');
  if (process.getuid!() === 0) chownSync(path, 1234, 1235);
  const { uid, gid } = statSync(path);
  await call(tool, { path, content: 'new' });
  t.match(statSync(path), { uid, gid });
});

/** What a process of another user gets when it writes the file through the tool. */
function codeOf(path: string, user: number | undefined): string {
  const script = `
    const { tool } = await import(${JSON.stringify(join(import.meta.dirname, '../../fs.write/tool.ts'))});
    // Only now: the checkout may be closed to that user.
    if (${user}) { process.setgroups([]); process.setgid(${user}); process.setuid(${user}); }
    try { await tool.run({ path: ${JSON.stringify(path)}, content: 'new' }, { message() {} }); console.log('ok'); }
    catch (err) { console.log(err.code ?? String(err)); }`;
  const loader = createRequire(import.meta.url).resolve('tsx');
  const args = ['--import', pathToFileURL(loader).href, '--input-type=module', '-e', script];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
}
