import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { receiveDescriptor, sendDescriptor, socketPair } from '../src/descriptor-passing.ts';

t.test('a descriptor arrives as the same open file, closed on exec', (t) => {
  const path = join(t.testdir({ file: 'text' }), 'file');
  const [ours, theirs] = socketPair();
  const sent = openSync(path, 'r');
  sendDescriptor(ours, sent);
  closeSync(sent);
  const received = receiveDescriptor(theirs);
  t.equal(readlinkSync(`/proc/self/fd/${received}`), path);
  t.equal(readFileSync(received, 'utf8'), 'text');
  t.match(readFileSync(`/proc/self/fdinfo/${received}`, 'utf8'), /flags:\t0?2[0-9]{6}/);
  for (const fd of [received, ours, theirs]) closeSync(fd);
  t.end();
});

t.test('nothing sent, data without a descriptor, and a closed end are typed errors', (t) => {
  const [ours, theirs] = socketPair();
  t.throws(() => receiveDescriptor(theirs), { code: 'EAGAIN' });
  writeSync(ours, 'x');
  t.throws(() => receiveDescriptor(theirs), { code: 'EPROTO' });
  t.throws(() => sendDescriptor(ours, 9999), { code: 'EBADF' });
  closeSync(ours);
  t.throws(() => receiveDescriptor(theirs), { code: 'EPROTO' });
  closeSync(theirs);
  t.throws(() => receiveDescriptor(theirs), { code: 'EBADF' });
  t.end();
});

t.test('many in a row, in order, none leaked', (t) => {
  const [ours, theirs] = socketPair();
  const before = readdirSync('/proc/self/fd').length;
  for (let round = 0; round < 200; round++) {
    sendDescriptor(ours, 0);
    sendDescriptor(ours, 2);
    for (const original of [0, 2]) {
      const fd = receiveDescriptor(theirs);
      t.equal(readlinkSync(`/proc/self/fd/${fd}`), readlinkSync(`/proc/self/fd/${original}`));
      closeSync(fd);
    }
  }
  t.equal(readdirSync('/proc/self/fd').length, before);
  closeSync(ours);
  closeSync(theirs);
  t.end();
});
