import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openStore } from '../../fixture/client.ts';

const self = process.geteuid!();
const V = '.view/coder';

t.test('a view is unlisted, and only the owner or root finds it', async (t) => {
  const { store, client } = openStore(t);
  t.notOk(client.list('').includes('.view'));
  t.strictSame(client.list('.view'), []);
  t.strictSame(client.list(V), ['agent', 'bin', 'home', 'model', 'shared', 'status', 'tool']);
  t.throws(() => client.as(4242).entry(V), { code: 'EACCES' });
  t.throws(() => client.entry('.view/nobody'), { code: 'ENOENT' });
  t.throws(() => client.entry('.view/.cortexfs-x'), { code: 'ENOENT' });
  t.throws(() => client.entry(`${V}/.view`), { code: 'ENOENT' }, 'and no view has views');
  t.equal(client.stat(V).mode & 0o077, 0, 'the kernel lets nobody else in either');
  store.write('agent/coder.d/owner', '4242\n');
  t.ok(client.as(4242).entry(V));
});

t.test('only what the authority decision allows exists', async (t) => {
  const { client } = openStore(t);
  t.strictSame(client.list(`${V}/tool`), ['fs.read', 'fs.read.d']);
  t.strictSame(client.list(`${V}/model`), ['debug', 'main']);
  t.strictSame(client.list(`${V}/model/debug`), ['script', 'script.d']);
  t.strictSame(client.list(`${V}/agent`), ['coder', 'coder.d']);
  t.strictSame(client.list(`${V}/shared`), ['notes']);
  for (const hidden of [
    'tool/fs.write',
    'tool/fs.write.d',
    'model/debug/echo',
    'agent/reviewer',
    'agent/reviewer.d',
    'shared/secret',
  ])
    t.throws(() => client.entry(`${V}/${hidden}`), { code: 'ENOENT' }, hidden);
  t.match(client.read(`${V}/tool/fs.read`), /cortexfs\.name=fs\.read/);
});

t.test('an edit of a policy takes effect at the next lookup', async (t) => {
  const { client } = openStore(t);
  const entry = client.entry(`${V}/tool/fs.read`);
  t.match([entry.entryTtl, entry.attrTtl], [0, 0], 'the kernel asks each time');
  client.write(
    'agent/coder.d/policy',
    'allow coder_t agent:reviewer read\nallow coder_t tool:fs.write execute\n',
  );
  t.throws(() => client.entry(`${V}/tool/fs.read`), { code: 'ENOENT' });
  t.strictSame(client.list(`${V}/tool`), ['fs.write', 'fs.write.d']);
  t.strictSame(client.list(`${V}/agent`), ['coder', 'coder.d', 'reviewer', 'reviewer.d']);
  t.strictSame(client.list(`${V}/model`), []);
  client.write('tool/fs.write.d/policy', '');
  t.strictSame(client.list(`${V}/tool`), [], 'the object side counts as much');
});

t.test('whatever makes the agent undecidable hides everything but itself', async (t) => {
  for (const [control, value] of [
    ['policy', 'nonsense\n'],
    ['label', 'a:b\n'],
    ['uid', 'x\n'],
    ['mount', 'x\n'],
  ] as const) {
    const { store, client } = openStore(t);
    store.write(`agent/coder.d/${control}`, value);
    t.strictSame(client.list(`${V}/tool`), [], control);
    t.strictSame(client.list(`${V}/shared`), [], control);
    t.strictSame(client.list(`${V}/agent`), ['coder', 'coder.d'], control);
  }
});

t.test('mode bits and mounts hide too', async (t) => {
  const { store, client } = openStore(t);
  store.write('tool/fs.read', 'x', 0o644);
  t.strictSame(client.list(`${V}/tool`), [], 'not executable');
  store.write('tool/fs.read', 'x', 0o755);
  store.write('agent/coder.d/mount', '/ctx/tool\t/ctx/tool\tro\tbind,noexec\n');
  t.strictSame(client.list(`${V}/tool`), [], 'noexec');
  store.write('agent/coder.d/mount', '/ctx/tool\t/ctx/tool\tro\tbind\n');
  t.strictSame(client.list(`${V}/tool`), ['fs.read', 'fs.read.d']);
});

t.test('a rule for an alias grants the model that it means, wherever the alias stands', async (t) => {
  const { store, client } = openStore(t);
  store.write('agent/coder.d/policy', 'allow coder_t model:fast use\n');
  t.strictSame(client.list(`${V}/model`), []);
  symlinkSync('/ctx/model/debug/echo', join(store.source, `home/${self}/model/fast`));
  t.strictSame(client.list(`${V}/model/debug`), ['echo', 'echo.d']);
  t.strictSame(client.list(`${V}/home/${self}/model`), ['fast']);
  symlinkSync('../../etc', join(store.source, `home/${self}/model/bad`));
  t.strictSame(client.list(`${V}/home/${self}/model`), ['fast'], 'a link that means no model is not there');
});

t.test('controls cannot be changed from inside, not even by root', async (t) => {
  const { client } = openStore(t);
  const root = client.as(0);
  t.match(client.read(`${V}/agent/coder.d/policy`), /tool:fs.read/);
  t.throws(() => root.write(`${V}/agent/coder.d/policy`, ''), { code: 'EROFS' });
  t.throws(() => root.create(`${V}/agent/coder.d/approval`, 'auto\n'), { code: 'EROFS' });
  t.throws(() => root.create(`${V}/agent/coder.d/.tmp`, ''), { code: 'EROFS' });
  t.throws(() => root.unlink(`${V}/agent/coder.d/tools`), { code: 'EROFS' });
  t.throws(() => root.chmod(`${V}/agent/coder.d/policy`, { size: 0 }), { code: 'EROFS' });
  t.throws(() => root.symlink('/x', `${V}/agent/coder.sock`), { code: 'EPERM' });
  t.throws(() => root.mkdir(`${V}/agent/coder.d/hooks`), { code: 'EPERM' });
});

t.test('a temporary file of the owner is not seen inside', async (t) => {
  const { client } = openStore(t);
  client.create('agent/coder.d/.new', 'x');
  t.throws(() => client.entry(`${V}/agent/coder.d/.new`), { code: 'ENOENT' });
});

t.test("the agent's own home is there, its sessions read-only, nobody else's", async (t) => {
  const { store, client } = openStore(t);
  mkdirSync(join(store.source, `home/${self}/agent/reviewer`));
  store.write(`home/${self}/private`, 'x');
  store.write(`home/${self}/agent/coder/session/default/messages.jsonl`, '{}\n');
  const home = `${V}/home/${self}`;
  t.strictSame(client.list(`${V}/home`), [String(self)]);
  t.strictSame(client.list(home), ['agent', 'model', 'tool']);
  t.strictSame(client.list(`${home}/agent`), ['coder']);
  client.create(`${home}/agent/coder/scratch`, 'mine');
  const session = `${home}/agent/coder/session`;
  t.equal(client.read(`${session}/default/messages.jsonl`), '{}\n');
  t.throws(() => client.write(`${session}/default/messages.jsonl`, ''), { code: 'EROFS' });
  t.throws(() => client.unlink(`${session}/default/messages.jsonl`), { code: 'EROFS' });
  t.throws(() => client.mkdir(`${session}/forged`), { code: 'EROFS' });
  t.throws(() => client.rename(session, `${home}/agent/coder/aside`), { code: 'EROFS' });
  t.throws(() => client.rename(`${home}/agent/coder/scratch`, `${session}/default/x`), {
    code: /EXDEV|EROFS/,
  });
  t.throws(() => client.link(`${session}/default/messages.jsonl`, `${home}/agent/coder/copy`), {
    code: 'EXDEV',
  });
});

t.test('a shared space is as writable as the policy says', async (t) => {
  const { client } = openStore(t);
  t.equal(client.read(`${V}/shared/notes/today`), 'shared text\n');
  t.throws(() => client.write(`${V}/shared/notes/today`, 'x'), { code: 'EROFS' });
  t.throws(() => client.create(`${V}/shared/notes/new`), { code: 'EROFS' });
  t.throws(() => client.mkdir(`${V}/shared/third`), { code: 'EROFS' });
  client.write('agent/coder.d/policy', 'allow coder_t shared:notes read\nallow coder_t shared:notes write\n');
  client.write(`${V}/shared/notes/today`, 'x');
  t.equal(client.read('shared/notes/today'), 'x');
});

t.test('sockets are not shown: their targets are places of the host', async (t) => {
  const { store, client } = openStore(t);
  client.symlink(`${store.runtime}/agent/coder.sock`, 'agent/coder.sock');
  t.throws(() => client.entry(`${V}/agent/coder.sock`), { code: 'ENOENT' });
  t.notOk(client.list(`${V}/agent`).includes('coder.sock'));
});
