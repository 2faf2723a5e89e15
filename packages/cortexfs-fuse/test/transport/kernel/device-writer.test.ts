import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DeviceWriter } from '../../../src/transport/kernel/device-writer.ts';

// A plain file takes the place of the device: what is written is what the kernel would get.
t.test('an fsync is answered under its own number, a failed one with its errno', async (t) => {
  const dir = t.testdir({ device: '', data: 'x' });
  const device = openSync(join(dir, 'device'), 'a');
  const data = openSync(join(dir, 'data'), 'r+');
  const log: string[] = [];
  const writer = new DeviceWriter(device, (line) => log.push(line));
  writer.write({ type: 'sync', work: { unique: 0x1_0000_0002n, fd: data, dataOnly: true } });
  await writer.idle();
  closeSync(data);
  writer.write({ type: 'sync', work: { unique: 3n, fd: data, dataOnly: false } });
  await writer.idle();
  const replies = readFileSync(join(dir, 'device'));
  t.same([replies.length, replies.readInt32LE(4), replies.readBigUInt64LE(8)], [32, 0, 0x1_0000_0002n]);
  t.same([replies.readInt32LE(20), replies.readBigUInt64LE(24)], [-9, 3n]);
  closeSync(device);
  t.same(log, []);
});

t.test('after refusing notices only replies are written', async (t) => {
  const path = join(t.testdir({ device: '' }), 'device');
  const device = openSync(path, 'a');
  const writer = new DeviceWriter(device, t.fail);
  writer.write({ type: 'invalidate-node', node: 5 });
  await writer.idle();
  t.equal(readFileSync(path).length, 40);
  writer.refuseNotices();
  writer.write({ type: 'invalidate-node', node: 5 });
  writer.write({ type: 'invalidate-entry', parent: 1, name: 'x' });
  writer.write({ type: 'sync', work: { unique: 3n, fd: device, dataOnly: false } });
  await writer.idle();
  t.equal(readFileSync(path).length, 56);
  closeSync(device);
});

t.test('what the kernel refuses is logged, unless it only says that nobody needs it', async (t) => {
  const path = join(t.testdir({ device: '' }), 'device');
  writeFileSync(path, '');
  const device = openSync(path, 'r');
  const log: string[] = [];
  const writer = new DeviceWriter(device, (line) => log.push(line));
  writer.write({ type: 'invalidate-entry', parent: 1, name: 'x' });
  await writer.idle();
  t.match(log, [/refused by the kernel: EBADF/]);
  closeSync(device);
});
