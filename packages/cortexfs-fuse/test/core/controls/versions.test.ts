import { constants, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Client, openStore } from '../../fixture/client.ts';

const POLICY = 'agent/coder.d/policy';
const [LONG, SHORT] = [9, 1].map((lines) => 'allow coder_t tool:fs.list execute\n'.repeat(lines)) as [
  string,
  string,
];

const opened = (client: Client, node: number) =>
  client.fs.open(client.context, node, constants.O_RDONLY).handle;
const text = (client: Client, node: number, handle: number) =>
  client.fs.read(client.context, node, handle, 0, 1 << 16).toString();
const sizeOf = (client: Client, node: number) => client.fs.getattr(client.context, node).attr.size;

function replace(client: Client, value: string): void {
  client.create('agent/coder.d/.new', value);
  client.rename('agent/coder.d/.new', POLICY);
}

t.test('whoever found a version before it was replaced by rename has it, size and all', (t) => {
  const { client } = openStore(t);
  client.write(POLICY, LONG);
  const old = client.node(POLICY);
  replace(client, SHORT);
  const current = client.node(POLICY);
  t.not(current, old);
  const handle = opened(client, old);
  t.equal(text(client, old, handle), LONG);
  t.match(client.fs.getattr(client.context, old).attr, { size: LONG.length, nlink: 0 });
  t.equal(sizeOf(client, current), SHORT.length);
  t.equal(client.read(POLICY), SHORT);
  t.end();
});

t.test('so it is with one that was removed', (t) => {
  const { client } = openStore(t);
  client.create('agent/coder.d/approval', 'ask\n');
  const old = client.node('agent/coder.d/approval');
  client.unlink('agent/coder.d/approval');
  t.equal(text(client, old, opened(client, old)), 'ask\n');
  t.throws(() => client.node('agent/coder.d/approval'), { code: 'ENOENT' });
  t.end();
});

t.test(
  'a writer in place leaves those who read before enough to read, and others a node of their own',
  (t) => {
    const { client } = openStore(t);
    client.write(POLICY, LONG);
    const node = client.node(POLICY);
    const reader = opened(client, node);
    const writer = client.fs.open(client.context, node, constants.O_WRONLY | constants.O_TRUNC).handle;
    t.not(client.node(POLICY), node, 'while somebody writes');
    t.equal(client.fs.getattr(client.context, node).attrTtl, 0);
    client.fs.write(client.context, node, writer, 0, Buffer.from(SHORT));
    client.fs.flush(client.context, node, writer);
    client.fs.release(node, writer);
    t.equal(sizeOf(client, node), LONG.length, 'as long as somebody reads what is longer');
    t.equal(text(client, node, reader), LONG);
    t.equal(client.stat(POLICY).size, SHORT.length);
    client.fs.release(node, reader);
    t.equal(sizeOf(client, node), SHORT.length);
    t.equal(client.read(POLICY), SHORT);
    t.end();
  },
);

t.test('one that was replaced in the store itself is looked up again', (t) => {
  const { store, client } = openStore(t);
  const node = client.node(POLICY);
  const path = join(store.source, POLICY);
  writeFileSync(`${path}~`, SHORT);
  renameSync(`${path}~`, path);
  t.throws(() => opened(client, node), { code: 'ESTALE' });
  t.throws(() => client.fs.getattr(client.context, node), { code: 'ESTALE' });
  t.equal(client.read(POLICY), SHORT);
  t.end();
});

t.test('what cannot be read can be replaced', (t) => {
  const { store, client } = openStore(t);
  store.write(POLICY, 'x'.repeat(70_000));
  client.node(POLICY);
  replace(client, SHORT);
  t.equal(client.read(POLICY), SHORT);
  t.end();
});
