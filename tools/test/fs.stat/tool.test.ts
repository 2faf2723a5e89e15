import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { tool } from '../../fs.stat/tool.ts';
import { asAgent, call, scratch } from '../scratch.ts';

t.test('one object as JSON, the same shape as in a listing', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'f'), 'abc');
  chmodSync(join(dir, 'f'), 0o4755);
  utimesSync(join(dir, 'f'), 1, 1);
  const [json, ...rest] = await call(tool, { path: join(dir, 'f') });
  t.same(JSON.parse(json!), {
    name: 'f',
    type: 'file',
    size: 3,
    mode: '4755',
    mtime: '1970-01-01T00:00:01.000Z',
  });
  t.same(rest, []);
});

t.test('a link is described, not followed; with an ending slash it is', async (t) => {
  const dir = scratch(t);
  symlinkSync('/nowhere', join(dir, 'dangling'));
  symlinkSync('.', join(dir, 'self'));
  t.match(JSON.parse((await call(tool, { path: join(dir, 'dangling') }))[0]!), {
    name: 'dangling',
    type: 'symlink',
    size: 8,
  });
  t.match(JSON.parse((await call(tool, { path: join(dir, 'self/') }))[0]!), {
    name: basename(dir),
    type: 'directory',
  });
});

t.test('FIFOs and devices are described without being opened', async (t) => {
  const dir = scratch(t);
  execFileSync('mkfifo', [join(dir, 'fifo')]);
  t.match(JSON.parse((await call(tool, { path: join(dir, 'fifo') }))[0]!), { type: 'fifo' });
  t.match(JSON.parse((await call(tool, { path: '/dev/null' }))[0]!), { name: 'null', type: 'char-device' });
});

t.test('the root is named /', async (t) => {
  t.match(JSON.parse((await call(tool, { path: '/' }))[0]!), { name: '/', type: 'directory' });
});

t.test('a missing object is ENOENT', async (t) => {
  await t.rejects(call(tool, { path: join(scratch(t), 'none') }), { code: 'ENOENT' });
});

t.test('an agent sees a link that leads out, but nothing behind it', async (t) => {
  const dir = scratch(t);
  symlinkSync('/proc', join(dir, 'out'));
  asAgent(t);
  t.match(JSON.parse((await call(tool, { path: join(dir, 'out') }))[0]!), { type: 'symlink' });
  await t.rejects(call(tool, { path: join(dir, 'out/1') }), { code: 'EACCES', layer: 'mount' });
});
