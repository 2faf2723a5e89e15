import {
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openFileSystem } from '../../../src/core/open.ts';
import { Client, openStore } from '../../fixture/client.ts';
import { makeStore, RUNNER } from '../../fixture/store.ts';

const HOME = `home/${process.geteuid!()}`;

t.test('a directory swapped for a link to the outside is never entered', async (t) => {
  const { store, client } = openStore(t);
  const outside = join(store.base, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'file'), 'outside');
  client.mkdir(`${HOME}/dir`);
  client.create(`${HOME}/dir/file`, 'inside');
  const parent = client.node(`${HOME}/dir`);
  const file = client.node(`${HOME}/dir/file`);
  const inStore = join(store.source, HOME, 'dir');
  renameSync(inStore, `${inStore}.away`);
  symlinkSync(outside, inStore);
  const { handle } = client.fs.open(client.context, file, constants.O_RDWR);
  t.equal(
    client.fs.read(client.context, file, handle, 0, 100).toString(),
    'inside',
    'the descriptor of the directory holds',
  );
  client.fs.release(file, handle);
  client.fs.create(client.context, parent, 'made', 0o600, constants.O_WRONLY);
  client.fs.unlink(client.context, parent, 'file');
  t.strictSame(readdirSync(outside), ['file']);
  t.equal(readFileSync(join(outside, 'file'), 'utf8'), 'outside');
  t.equal(client.readlink(`${HOME}/dir`), outside, 'who looks anew finds a link, for the client to follow');
});

t.test('a file swapped for a link or a pipe is ESTALE to who knew the file', async (t) => {
  const { store, client } = openStore(t);
  const node = client.create(`${HOME}/f`, 'x');
  const path = join(store.source, HOME, 'f');
  renameSync(path, `${path}.old`);
  symlinkSync('/etc/passwd', path);
  for (const flags of [constants.O_RDONLY, constants.O_WRONLY | constants.O_TRUNC])
    t.throws(() => client.fs.open(client.context, node, flags), { code: 'ESTALE' });
  t.throws(() => client.fs.setattr(client.context, node, { mode: 0o777 }), { code: 'ESTALE' });
  t.throws(() => client.fs.link(client.context, node, client.node(HOME), 'hard'), { code: 'ESTALE' });
  t.notOk(readdirSync(join(store.source, HOME)).includes('hard'));
});

t.test('names that are no UTF-8 are left out', async (t) => {
  const { store, client } = openStore(t);
  writeFileSync(Buffer.concat([Buffer.from(`${join(store.source, HOME)}/bad`), Buffer.from([0xff])]), 'x');
  t.notOk(client.list(HOME).some((name) => name.startsWith('bad')));
});

t.test('no descriptor stays open, however deep and wide the tree and however it is used', async (t) => {
  const { store, client } = openStore(t);
  let path = HOME;
  for (let depth = 0; depth < 60; depth++) {
    path += '/d';
    client.mkdir(path);
  }
  client.create(`${path}/leaf`, 'x');
  const { handle } = client.fs.open(client.context, client.node(`${path}/leaf`), constants.O_RDONLY);
  client.fs.release(0, handle);
  for (let i = 0; i < 600; i++) {
    client.mkdir(`${HOME}/w${i}`);
    client.create(`${HOME}/w${i}/f`);
  }
  t.ok(openBelow(store.source) <= 513, 'at most the cache of directories and the root');
  client.rename(`${HOME}/w1/f`, `${path}/moved`);
  t.equal(client.stat(`${path}/moved`).size, 0, 'a rename holds both of its directories');
});

t.test('closing the file system closes all', async (t) => {
  const store = makeStore();
  t.teardown(() => store.remove());
  const client = new Client(openFileSystem({ source: store.source, runtime: store.runtime, runner: RUNNER }));
  client.create(`${HOME}/f`, 'x');
  client.fs.open(client.context, client.node(`${HOME}/f`), constants.O_RDONLY);
  t.ok(openBelow(store.source) > 1);
  client.fs.destroy();
  t.equal(openBelow(store.source), 0);
});

function openBelow(source: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(source);
    } catch {
      // The descriptor of this very listing is closed by now.
      return false;
    }
  }).length;
}
