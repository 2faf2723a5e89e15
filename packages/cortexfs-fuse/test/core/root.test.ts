import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openStore } from '../fixture/client.ts';

t.test('the root lists exactly the seven frozen names, whatever the store holds', async (t) => {
  const { store, client } = openStore(t);
  store.write('surprise', 'x');
  rmSync(join(store.source, 'shared'), { recursive: true });
  t.strictSame(client.list(''), ['agent', 'bin', 'home', 'model', 'shared', 'status', 'tool']);
  t.strictSame(client.list('shared'), []);
  t.throws(() => client.entry('surprise'), { code: 'ENOENT' });
});

t.test('status reads ready and cannot be written by anybody', async (t) => {
  const { client } = openStore(t);
  t.equal(client.read('status'), 'ready\n');
  t.equal(client.stat('status').size, 6);
  t.throws(() => client.write('status', 'x'), { code: 'EROFS' });
});

t.test('nothing can be made, moved or removed in the root', async (t) => {
  const { client } = openStore(t);
  t.throws(() => client.create('new'), { code: 'EPERM' });
  t.throws(() => client.mkdir('new'), { code: 'EPERM' });
  t.throws(() => client.symlink('x', 'new'), { code: 'EPERM' });
  t.throws(() => client.rename('tool', 'tool2'), { code: 'EPERM' });
  t.throws(() => client.rmdir('tool'), { code: 'EPERM' });
  t.throws(() => client.unlink('status'), { code: 'EPERM' });
});

t.test('a name that is a path is refused before it reaches the store', async (t) => {
  const { client } = openStore(t);
  for (const name of ['', '.', '..', 'a/b', 'a\0b'])
    t.throws(
      () => client.fs.lookup(client.context, client.node('home'), name),
      { code: 'EINVAL' },
      JSON.stringify(name),
    );
  t.throws(() => client.entry(`tool/${'x'.repeat(256)}`), { code: 'ENAMETOOLONG' });
});

t.test('bin shows the launchers read-only', async (t) => {
  const { client } = openStore(t);
  t.strictSame(client.list('bin'), ['ctx']);
  t.match(client.read('bin/ctx'), /^#!\/bin\/sh/);
  t.throws(() => client.create('bin/x'), { code: 'EROFS' });
  t.throws(() => client.write('bin/ctx', 'x'), { code: 'EROFS' });
});

t.test('a top directory that is a link in the store is not followed', async (t) => {
  const { store, client } = openStore(t);
  rmSync(join(store.source, 'tool'), { recursive: true });
  symlinkSync('/etc', join(store.source, 'tool'));
  t.strictSame(client.list('tool'), []);
  t.throws(() => client.entry('tool/passwd'), { code: 'ENOENT' });
});
