import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openStore } from '../../fixture/client.ts';

t.test('model aliases are symbolic links that show their target', async (t) => {
  const { client } = openStore(t);
  t.strictSame(client.list('model'), ['debug', 'main']);
  t.equal(client.readlink('model/main'), 'debug/script');
  t.equal(client.xattr('model/main', 'kind'), 'ctx.symlink');
  t.throws(() => client.symlink('debug/echo', 'model/helper'), { code: 'EPERM' });
});

t.test(
  'an owner makes and removes the socket alias of an agent, below their runtime directory only',
  async (t) => {
    const { store, client } = openStore(t);
    const target = `${store.runtime}/agent/coder.sock`;
    t.throws(() => client.readlink('agent/coder.sock'), { code: 'ENOENT' });
    client.symlink(target, 'agent/coder.sock');
    t.equal(client.readlink('agent/coder.sock'), target);
    t.equal(readlinkSync(join(store.source, 'agent/coder.sock')), target);
    t.equal(client.xattr('agent/coder.sock', 'kind'), 'ctx.agent.socket');
    t.throws(() => client.symlink(target, 'agent/coder.sock'), { code: 'EEXIST' });
    client.unlink('agent/coder.sock');
    for (const bad of [
      '/etc/passwd',
      'relative',
      `${store.runtime}/../x`,
      `${store.runtime}`,
      `${store.runtime}//agent/x`,
    ])
      t.throws(() => client.symlink(bad, 'agent/coder.sock'), { code: 'EPERM' }, bad);
    t.throws(() => client.as(4242).symlink(target, 'agent/coder.sock'), { code: 'EACCES' });
    t.throws(() => client.symlink(target, 'agent/nobody.sock'), { code: 'ENOENT' });
    t.throws(() => client.symlink(target, 'tool/fs.read.sock'), { code: 'EPERM' });
  },
);

t.test("a session's terminal alias must lead below the runtime directory too", async (t) => {
  const { store, client } = openStore(t);
  const uid = process.geteuid!();
  const terminal = `home/${uid}/agent/coder/session/default/terminal`;
  client.mkdir(`home/${uid}/agent/coder/session/default`);
  client.mkdir(terminal);
  t.throws(() => client.symlink('/etc/passwd', `${terminal}/main.sock`), { code: 'EPERM' });
  client.symlink(`${store.runtime}/terminal/coder/default/main.sock`, `${terminal}/main.sock`);
  t.ok(lstatSync(join(store.source, terminal, 'main.sock')).isSymbolicLink());
});
