import t from 'tap';
import { openStore } from '../fixture/client.ts';

const self = process.geteuid!();

t.test('kinds tell what a path is in the ABI', async (t) => {
  const { store, client } = openStore(t);
  const session = `home/${self}/agent/coder/session/default`;
  store.write(`${session}/messages.jsonl`, '');
  store.write(`${session}/events.jsonl`, '');
  store.write(`home/${self}/agent/coder/session/index/list`, '');
  store.write('agent/coder.d/odd', '');
  const kinds: Record<string, string> = {
    'agent/coder': 'ctx.agent.exec',
    'tool/fs.read': 'ctx.tool.exec',
    'model/debug/echo': 'ctx.model.exec',
    'agent/coder.d/policy': 'ctx.agent.control',
    'tool/fs.read.d': 'ctx.tool.control',
    'agent/coder.d/odd': 'ctx.unknown',
    'model/main': 'ctx.symlink',
    [session]: 'ctx.session.dir',
    [`${session}/messages.jsonl`]: 'ctx.session.messages',
    [`${session}/events.jsonl`]: 'ctx.session.events',
    [`home/${self}/agent/coder/session/index`]: 'ctx.ordinary',
    'shared/notes': 'ctx.shared.dir',
    'shared/notes/today': 'ctx.ordinary',
    [`home/${self}`]: 'ctx.home.dir',
  };
  for (const [path, kind] of Object.entries(kinds)) t.equal(client.xattr(path, 'kind'), kind, path);
});

t.test('the other attributes agree with what is read', async (t) => {
  const { client } = openStore(t);
  for (const path of ['agent/coder.d/policy', 'tool/fs.read', 'agent/coder.d/status', 'shared/notes/today']) {
    const bytes = client.read(path).length;
    t.equal(client.xattr(path, 'bytes'), String(bytes));
    t.equal(client.xattr(path, 'token_estimate'), String(Math.ceil(bytes / 4)));
    t.equal(client.xattr(path, 'abi_path'), path);
  }
  t.match(
    [client.xattr('tool/fs.read', 'origin'), client.xattr('tool/fs.read', 'storage')],
    ['store', 'projection'],
  );
  t.match(
    [client.xattr('agent/coder.d/status', 'origin'), client.xattr('agent/coder.d/status', 'storage')],
    ['runtime', 'memory'],
  );
  t.match(
    [client.xattr('agent/coder.d/policy', 'origin'), client.xattr('agent/coder.d/policy', 'storage')],
    ['store', 'bytes'],
  );
});

t.test('directories have no size to tell, and other names no data', async (t) => {
  const { client } = openStore(t);
  t.strictSame(
    client.fs.listxattr(client.context, client.node('tool')),
    ['kind', 'abi_path', 'origin'].map((name) => `user.cortexfs.${name}`),
  );
  t.strictSame(client.fs.listxattr(client.context, client.node('model/main')), [], 'a link shows none');
  for (const name of [
    'security.capability',
    'user.other',
    'user.cortexfs.nosuch',
    'user.cortexfs.constructor',
  ])
    t.throws(
      () => client.fs.getxattr(client.context, client.node('tool/fs.read'), name),
      { code: 'ENODATA' },
      name,
    );
});

t.test('none can be set or removed', async (t) => {
  const { client } = openStore(t);
  const { fs, context } = client;
  const node = client.node(`home/${self}`);
  t.throws(() => fs.setxattr(context, node, 'user.cortexfs.kind', Buffer.from('x'), 0), { code: 'EPERM' });
  t.throws(() => fs.removexattr(context, node, 'user.cortexfs.kind'), { code: 'EPERM' });
  t.throws(() => fs.setxattr(context, node, 'user.mine', Buffer.from('x'), 0), { code: 'ENOTSUP' });
});
