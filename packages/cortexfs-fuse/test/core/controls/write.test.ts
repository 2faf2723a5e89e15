import { constants, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openStore } from '../../fixture/client.ts';

const POLICY = 'agent/coder.d/policy';

t.test('an owner replaces a control in place; it is checked and durable at close', async (t) => {
  const { store, client } = openStore(t);
  const next = 'allow coder_t tool:fs.list execute\n';
  client.write(POLICY, next);
  t.equal(client.read(POLICY), next);
  t.equal(readFileSync(join(store.source, POLICY), 'utf8'), next);
  t.notOk(
    readdirSync(join(store.source, 'agent/coder.d')).some((name) => name.startsWith('.')),
    'no temporary file stays',
  );
});

t.test('a value that its codec refuses is EINVAL and the old value stays', async (t) => {
  const { client } = openStore(t);
  const bad: Record<string, string> = {
    policy: 'allow coder_t tool:x fly\n',
    window: '-1\n',
    label: 'a:b\n',
    model: '../x\n',
    tools: 'tsh\n',
    approval: 'maybe\n',
    abi: 'v9\n',
    mount: 'relative\t/x\tro\t-\n',
    'meta.json': '{"a":1,"a":2}',
    'system.md': 'with \u0000 NUL',
  };
  for (const [control, value] of Object.entries(bad)) {
    const path = `agent/coder.d/${control}`;
    const old = exists(() => client.read(path));
    const target = old === undefined ? () => client.create(path, value) : () => client.write(path, value);
    t.throws(target, { code: 'EINVAL', path }, control);
    t.equal(
      exists(() => client.read(path)),
      old,
      `${control} is as before`,
    );
  }
});

t.test(
  'a short bad value is refused by write already, for shells do not look at what close says',
  async (t) => {
    const { client } = openStore(t);
    const node = client.node('agent/coder.d/window');
    const { handle } = client.fs.open(client.context, node, constants.O_WRONLY | constants.O_TRUNC);
    client.fs.flush(client.context, node, handle);
    t.equal(client.read('agent/coder.d/window'), 'auto\n', 'a copy closed before writing commits nothing');
    t.throws(() => client.fs.write(client.context, node, handle, 0, Buffer.from('0\n')), { code: 'EINVAL' });
    client.fs.flush(client.context, node, handle);
    client.fs.release(node, handle);
    t.equal(client.read('agent/coder.d/window'), 'auto\n');
  },
);

t.test('a value written in several pieces is taken as a whole', async (t) => {
  const { client } = openStore(t);
  const node = client.node('agent/coder.d/system.md');
  const { handle } = client.fs.open(client.context, node, constants.O_WRONLY | constants.O_TRUNC);
  for (const [offset, text] of [
    [0, 'one '],
    [4, 'two '],
    [8, 'three\n'],
  ] as const)
    client.fs.write(client.context, node, handle, offset, Buffer.from(text));
  t.equal(client.read('agent/coder.d/system.md'), 'You are coder.\n', 'nothing shows before the close');
  client.fs.flush(client.context, node, handle);
  t.equal(client.read('agent/coder.d/system.md'), 'one two three\n');
  client.fs.release(node, handle);
});

t.test('appending works at the end, whatever offset the kernel believes in', async (t) => {
  const { client } = openStore(t);
  client.write(POLICY, 'allow coder_t tool:fs.write execute\n', constants.O_APPEND);
  t.match(client.read(POLICY), /shared:notes read\nallow coder_t tool:fs.write execute\n$/);
});

t.test('a reader keeps the value that it opened', async (t) => {
  const { client } = openStore(t);
  const node = client.node(POLICY);
  const old = client.read(POLICY);
  const { handle, direct } = client.fs.open(client.context, node, constants.O_RDONLY);
  t.equal(direct, true, 'past the page cache, which all readers share');
  client.write(POLICY, '');
  t.equal(client.fs.read(client.context, node, handle, 0, 4096).toString(), old);
  client.fs.release(node, handle);
  t.equal(client.read(POLICY), '');
});

t.test('emptying a control counts at the last close, where empty is a value', async (t) => {
  const { client } = openStore(t);
  client.write(POLICY, '');
  t.equal(client.read(POLICY), '');
  client.write('agent/coder.d/window', '');
  t.equal(client.read('agent/coder.d/window'), 'auto\n');
});

t.test('truncate without an open file is one change like any other', async (t) => {
  const { client } = openStore(t);
  client.chmod(POLICY, { size: 0 });
  t.equal(client.read(POLICY), '');
  t.throws(() => client.chmod('agent/coder.d/window', { size: 0 }), { code: 'EINVAL' });
});

t.test('a control holds at most 64 KiB, and half of more is never committed', async (t) => {
  const { client } = openStore(t);
  const node = client.node('agent/coder.d/system.md');
  const { handle } = client.fs.open(client.context, node, constants.O_WRONLY | constants.O_TRUNC);
  const block = Buffer.alloc(40_000, 'x');
  client.fs.write(client.context, node, handle, 0, block);
  t.throws(() => client.fs.write(client.context, node, handle, block.length, block), { code: 'EFBIG' });
  client.fs.flush(client.context, node, handle);
  client.fs.release(node, handle);
  t.equal(client.read('agent/coder.d/system.md'), 'You are coder.\n');
});

t.test('somebody else may read and not write; root may', async (t) => {
  const { client } = openStore(t);
  const other = client.as(4242);
  t.equal(other.read('agent/coder.d/window'), 'auto\n');
  t.throws(() => other.write(POLICY, ''), { code: 'EACCES', layer: 'credentials' });
  t.throws(() => other.create('agent/coder.d/approval', 'ask\n'), { code: 'EACCES' });
  client.as(0).write('agent/coder.d/window', 'auto\n');
});

t.test('the owner control decides, not who owns the files of the store', async (t) => {
  const { store, client } = openStore(t);
  store.write('agent/coder.d/owner', '4242\n');
  client.as(4242).write(POLICY, '');
  t.equal(client.stat(POLICY).uid, 4242);
  t.throws(() => client.as(4243).write(POLICY, ''), { code: 'EACCES' });
  t.throws(
    () => client.as(4242).write('agent/coder.d/uid', '0\n'),
    { code: 'EPERM' },
    'not the Linux identity',
  );
});

t.test('projections and unknown controls are refused to everybody', async (t) => {
  const { client } = openStore(t);
  t.throws(() => client.as(0).write('model/debug/script.d/limit', '1\n'), { code: 'EROFS' });
  t.throws(() => client.as(0).write('agent/coder.d/status', 'ready\n'), { code: 'EROFS' });
  t.throws(() => client.create('agent/coder.d/unknown', 'x'), { code: 'EPERM' });
  t.throws(() => client.mkdir('agent/coder.d/policy.d'), { code: 'EPERM' });
  t.throws(() => client.symlink('/etc/passwd', 'agent/coder.d/cwd2'), { code: 'EPERM' });
  t.throws(() => client.link(POLICY, 'agent/coder.d/policy2'), { code: 'EPERM' });
});

t.test('optional controls come and go, required ones only change', async (t) => {
  const { client } = openStore(t);
  client.create('agent/coder.d/approval', 'ask\n');
  t.equal(client.read('agent/coder.d/approval'), 'ask\n');
  client.unlink('agent/coder.d/approval');
  t.throws(() => client.entry('agent/coder.d/approval'), { code: 'ENOENT' });
  t.throws(() => client.unlink(POLICY), { code: 'EPERM' });
  t.throws(() => client.create('agent/coder.d/tools', '', 0o644, constants.O_WRONLY | constants.O_EXCL), {
    code: 'EEXIST',
  });
});

t.test('mode and ownership of a control are facts; its times may be set', async (t) => {
  const { client } = openStore(t);
  t.throws(() => client.chmod(POLICY, { mode: 0o777 }), { code: 'EPERM' });
  t.throws(() => client.chmod(POLICY, { uid: 12 }), { code: 'EPERM' });
  const attr = client.chmod(POLICY, { mode: 0o644, mtime: 1_000_000_001n });
  t.equal(attr.mtimeNs, 1_000_000_001n);
});

t.test('a control that is a link, a directory or a pipe in the store is no control', async (t) => {
  const { store, client } = openStore(t);
  const { symlinkSync, rmSync, mkdirSync } = await import('node:fs');
  const path = join(store.source, 'agent/coder.d/window');
  rmSync(path);
  symlinkSync('/etc/hostname', path);
  t.throws(() => client.read('agent/coder.d/window'), { code: 'ENOENT' });
  rmSync(path);
  mkdirSync(path);
  t.throws(() => client.read('agent/coder.d/window'), { code: 'ENOENT' });
});

function exists<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
