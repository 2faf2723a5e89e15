import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { tool } from '../../fs.list/tool.ts';
import { asAgent, call, scratch } from '../scratch.ts';

t.test('entries come in name order with type, size, mode and mtime', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'b'), 'four');
  chmodSync(join(dir, 'b'), 0o640);
  utimesSync(join(dir, 'b'), 0, 86400.5);
  mkdirSync(join(dir, 'a'));
  symlinkSync('nowhere', join(dir, 'c'));
  execFileSync('mkfifo', [join(dir, 'd')]);
  const [json, note] = await call(tool, { path: dir });
  const entries = JSON.parse(json!);
  t.match(entries, [
    { name: 'a', type: 'directory' },
    { name: 'b', type: 'file', size: 4, mode: '0640', mtime: '1970-01-02T00:00:00.500Z' },
    { name: 'c', type: 'symlink', size: 7 },
    { name: 'd', type: 'fifo' },
  ]);
  t.same(Object.keys(entries[1]), ['name', 'type', 'size', 'mode', 'mtime']);
  t.equal(note, undefined);
});

t.test('an empty directory is an empty list', async (t) => {
  t.same(await call(tool, { path: scratch(t) }), ['[]']);
});

t.test('a long listing is paged and says so', async (t) => {
  const dir = scratch(t);
  for (let n = 0; n < 1001; n++) writeFileSync(join(dir, `f${String(n).padStart(4, '0')}`), '');
  const [json, note] = await call(tool, { path: dir });
  t.equal(JSON.parse(json!).length, 1000);
  t.equal(note, '\n{"truncated":true,"next_after":"f0999"}');
  const [rest, none] = await call(tool, { path: dir, after: 'f0999' });
  t.match(JSON.parse(rest!), [{ name: 'f1000' }]);
  t.equal(none, undefined);
  const [two] = await call(tool, { path: dir, after: 'f0500', max_entries: 2 });
  t.match(JSON.parse(two!), [{ name: 'f0501' }, { name: 'f0502' }]);
});

t.test('a name that is not UTF-8 comes with its bytes', async (t) => {
  const dir = scratch(t);
  writeFileSync(Buffer.concat([Buffer.from(`${dir}/a`), Buffer.from([0xff])]), '');
  const [json] = await call(tool, { path: dir });
  t.match(JSON.parse(json!), [{ name: 'a\ufffd', name_base64: 'Yf8=' }]);
});

t.test('what is not a directory has its errno', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'f'), '');
  await t.rejects(call(tool, { path: join(dir, 'f') }), { code: 'ENOTDIR', path: join(dir, 'f') });
  await t.rejects(call(tool, { path: join(dir, 'none') }), { code: 'ENOENT' });
});

t.test('a linked directory is listed for a human, for an agent only inside its mount', async (t) => {
  const dir = scratch(t);
  mkdirSync(join(dir, 'real'));
  writeFileSync(join(dir, 'real/f'), '');
  symlinkSync('real', join(dir, 'in'));
  symlinkSync('/proc/self/task', join(dir, 'out'));
  t.match(JSON.parse((await call(tool, { path: join(dir, 'out') }))[0]!), [{ type: 'directory' }]);
  asAgent(t);
  t.match(JSON.parse((await call(tool, { path: join(dir, 'in') }))[0]!), [{ name: 'f' }]);
  await t.rejects(call(tool, { path: join(dir, 'out') }), { code: 'EACCES', layer: 'mount' });
});

t.test('no descriptor is left behind', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'f'), '');
  const before = readdirSync('/proc/self/fd').length;
  for (let n = 0; n < 20; n++) {
    await call(tool, { path: dir });
    await t.rejects(call(tool, { path: join(dir, 'f') }));
  }
  t.equal(readdirSync('/proc/self/fd').length, before);
});
