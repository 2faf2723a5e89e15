import { constants, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseObjectMetadata } from '@cortexfs/abi/object-metadata';
import t from 'tap';
import { openStore } from '../../fixture/client.ts';
import { RUNNER } from '../../fixture/store.ts';

t.test('an executable reads as metadata behind the runner, with the size of just that', async (t) => {
  const { client } = openStore(t);
  for (const [path, name] of [
    ['tool/fs.read', 'fs.read'],
    ['agent/coder', 'coder'],
    ['model/debug/echo', 'debug/echo'],
  ] as const) {
    const text = client.read(path);
    t.ok(text.startsWith(`#!${RUNNER}\n`), path);
    t.equal(parseObjectMetadata(text).name, name);
    t.equal(client.stat(path).size, Buffer.byteLength(text));
    t.equal(client.xattr(path, 'bytes'), String(Buffer.byteLength(text)));
    t.equal(client.stat(path).mode & 0o777, 0o555, 'executable, writable for nobody');
  }
});

t.test('a model shows its listing fields, and what is unreadable is left out', async (t) => {
  const { store, client } = openStore(t);
  store.write('model/debug/echo.d/cap', 'telepathy\n');
  t.strictSame(parseObjectMetadata(client.read('model/debug/script')).fields, {
    id: 'debug/script',
    driver: 'debug',
    cap: 'chat,stream',
    limit: '32768',
  });
  t.strictSame(parseObjectMetadata(client.read('model/debug/echo')).fields, {
    id: 'debug/echo',
    driver: 'debug',
    limit: 'unknown',
  });
});

t.test('the bytes of an installed plugin are never shown', async (t) => {
  const { store, client } = openStore(t);
  store.write('tool/plugin', '\x7fELF secret implementation', 0o755);
  store.write('tool/plugin.d/.cortexfs-receipt.json', '{}', 0o444);
  store.write('tool/plugin.d/policy', '');
  const text = client.read('tool/plugin');
  t.equal(parseObjectMetadata(text).name, 'plugin');
  t.notMatch(text, /secret/);
  t.strictSame(client.list('tool/plugin.d'), ['log', 'policy', 'status']);
  t.throws(() => client.read('tool/plugin.d/.cortexfs-receipt.json'), { code: 'ENOENT' });
});

t.test('executables are not written, moved, linked or removed', async (t) => {
  const { client } = openStore(t);
  t.throws(() => client.write('tool/fs.read', 'x'), { code: 'EPERM' });
  t.throws(() => client.chmod('tool/fs.read', { mode: 0o777 }), { code: 'EPERM' });
  t.throws(() => client.unlink('tool/fs.read'), { code: 'EPERM' });
  t.throws(() => client.rename('tool/fs.read', 'tool/other'), { code: 'EPERM' });
  t.throws(() => client.link('tool/fs.read', 'home/0/read'), { code: 'EXDEV' });
  t.throws(() => client.create('tool/new', '', 0o755), { code: 'EPERM' });
  t.throws(() => client.mkdir('tool/new.d'), { code: 'EPERM' });
});

t.test('residue, receipts, temporary files and strange names are neither listed nor found', async (t) => {
  const { store, client } = openStore(t);
  const before = client.list('tool');
  for (const name of [
    '.cortexfs-install-1',
    '.cortexfs-cleanup-2',
    '.ctx-rollback-3',
    '.cortexfs-write-4',
    '-dash',
    'a b',
    'x.sock.d',
  ])
    store.write(`tool/${name}/file`, 'x');
  t.strictSame(client.list('tool'), before);
  for (const name of ['.cortexfs-install-1', '-dash', 'a b'])
    t.throws(() => client.entry(`tool/${name}`), { code: 'ENOENT' });
});

t.test('an object that disappears gives ESTALE to who holds it and ENOENT to who looks', async (t) => {
  const { store, client } = openStore(t);
  const { node } = client.entry('tool/fs.read');
  rmSync(join(store.source, 'tool/fs.read'));
  t.throws(() => client.fs.getattr(client.context, node), { code: 'ESTALE' });
  t.throws(() => client.fs.open(client.context, node, constants.O_RDONLY), { code: 'ESTALE' });
  t.throws(() => client.entry('tool/fs.read'), { code: 'ENOENT' });
});

t.test('an executable replaced by a link to a file outside shows an alias, never that file', async (t) => {
  const { store, client } = openStore(t);
  rmSync(join(store.source, 'tool/fs.read'));
  symlinkSync('/etc/passwd', join(store.source, 'tool/fs.read'));
  t.equal(client.readlink('tool/fs.read'), '/etc/passwd');
  t.throws(() => client.read('tool/fs.read'), { code: 'EACCES' });
});
