import { constants } from 'node:fs';
import t from 'tap';
import { ROOT_NODE } from '../../../src/core/file-system.ts';
import { openStore } from '../../fixture/client.ts';

const HOME = `home/${process.geteuid!()}`;

t.test('a node lives as long as the kernel has references, and has one number', async (t) => {
  const { client } = openStore(t);
  const first = client.entry('tool/fs.read').node;
  const again = client.entry('tool/fs.read').node;
  t.equal(again, first);
  client.fs.forget(first, 1);
  t.equal(client.fs.getattr(client.context, first).attr.nlink, 1);
  client.fs.forget(first, 1);
  t.throws(() => client.fs.getattr(client.context, first), { code: 'ESTALE' });
  t.not(client.entry('tool/fs.read').node, first, 'numbers are not used again');
});

t.test('the root cannot be forgotten, and forgetting too much or nothing at all is harmless', async (t) => {
  const { client } = openStore(t);
  client.fs.forget(ROOT_NODE, 1_000_000);
  client.fs.forget(987_654, 1);
  t.ok(client.list('').length > 0);
});

t.test('handles that are not open are EBADF', async (t) => {
  const { client } = openStore(t);
  const node = client.create(`${HOME}/f`, 'x');
  const { handle } = client.fs.open(client.context, node, constants.O_RDONLY);
  client.fs.release(node, handle);
  client.fs.release(node, handle);
  t.throws(() => client.fs.read(client.context, node, handle, 0, 1), { code: 'EBADF' });
  t.throws(() => client.fs.readdir(client.context, node, 99, 0, 1), { code: 'EBADF' });
});

t.test('a listing is one snapshot, read in pieces of any size and again from the start', async (t) => {
  const { client } = openStore(t);
  for (let i = 0; i < 50; i++) client.create(`${HOME}/f${i}`);
  const node = client.node(HOME);
  const { handle } = client.fs.opendir(client.context, node, 0);
  const first = client.fs.readdir(client.context, node, handle, 0, 10).map(({ name }) => name);
  t.strictSame(first.slice(0, 2), ['.', '..']);
  for (let i = 0; i < 50; i++) client.unlink(`${HOME}/f${i}`);
  t.equal(client.fs.readdir(client.context, node, handle, 10, 1000).length, 45, 'what began goes on');
  t.equal(client.fs.readdir(client.context, node, handle, 0, 1000).length, 5, 'from the start it is new');
  client.fs.releasedir(node, handle);
});

t.test('lookups that fail leave no node behind', async (t) => {
  const { client } = openStore(t);
  for (const path of ['nosuch', 'tool/nosuch', 'agent/coder.d/nosuch', `${HOME}/nosuch`])
    t.throws(() => client.entry(path), { code: 'ENOENT' }, path);
  t.throws(() => client.entry('status/x'), { code: 'ENOTDIR' });
  t.throws(() => client.fs.opendir(client.context, client.node('status'), 0), { code: 'ENOTDIR' });
  t.throws(() => client.fs.readlink(client.context, client.node('status')), { code: 'EINVAL' });
  t.throws(() => client.fs.open(client.context, client.node('tool'), 0), { code: 'EACCES' });
});
