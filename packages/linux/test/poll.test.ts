import { once } from 'node:events';
import { closeSync, readSync, writeSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import t from 'tap';
import { socketPair } from '../src/descriptor-passing.ts';
import { hasHungUp, Poller, setNonBlocking } from '../src/poll.ts';
import { descriptorOf } from '../src/socket-descriptor.ts';

t.test('tells which descriptor can be read', (t) => {
  const [a, b] = socketPair();
  const [c, d] = socketPair();
  const poller = new Poller([b, d]);
  t.notOk(poller.wait(0));
  writeSync(c, 'x');
  t.ok(poller.wait());
  t.notOk(poller.isReady(0));
  t.ok(poller.isReady(1));
  closeSync(a);
  t.ok(poller.wait());
  t.ok(poller.isReady(0), 'an ended one is ready');
  t.ok(poller.isReady(1));
  for (const fd of [b, c, d]) closeSync(fd);
  t.end();
});

t.test('a peer that is gone is told from one that only stopped sending', async (t) => {
  const path = `/tmp/poll-${process.pid}.sock`;
  const server = createServer({ allowHalfOpen: true }).listen(path);
  t.teardown(() => server.close());
  const client = connect({ path, allowHalfOpen: true });
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.resume();
  t.notOk(hasHungUp(descriptorOf(socket)));
  client.end();
  await once(socket, 'end');
  t.notOk(hasHungUp(descriptorOf(socket)), 'it may still read');
  client.destroy();
  await once(client, 'close');
  t.ok(hasHungUp(descriptorOf(socket)));
  socket.destroy();
});

t.test('waits as long as it was told', (t) => {
  const [a, b] = socketPair();
  const start = performance.now();
  t.notOk(new Poller([b]).wait(50));
  t.ok(performance.now() - start >= 49);
  closeSync(a);
  closeSync(b);
  t.end();
});

t.test('a closed descriptor is ready at once rather than waited for', (t) => {
  const [a, b] = socketPair();
  closeSync(a);
  closeSync(b);
  const poller = new Poller([b]);
  t.ok(poller.wait());
  t.ok(poller.isReady(0));
  t.end();
});

t.test('a read that would wait fails with EAGAIN', (t) => {
  const [a, b] = socketPair();
  setNonBlocking(b);
  t.throws(() => readSync(b, Buffer.alloc(1)), { code: 'EAGAIN' });
  writeSync(a, 'x');
  t.equal(readSync(b, Buffer.alloc(1)), 1);
  closeSync(a);
  closeSync(b);
  t.throws(() => setNonBlocking(b), { code: 'EBADF' });
  t.end();
});
