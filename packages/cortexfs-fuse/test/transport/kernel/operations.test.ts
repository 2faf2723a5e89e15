import { closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRNO } from '@cortexfs/abi/errno';
import t from 'tap';
import { OPCODE } from '../../../src/transport/kernel/wire/opcode.ts';
import { KernelClient, text, u32, u64 } from './support/kernel-client.ts';

t.test('a node is created, written, read and described', (t) => {
  const kernel = KernelClient.ready({ ttl: 1500 });
  const { body } = kernel.ask(OPCODE.CREATE, 1, u32(2), u32(0o100640), u32(0o22), u32(0), text('文件'));
  t.equal(body.length, 128 + 16);
  t.same([body.readBigUInt64LE(16), body.readBigUInt64LE(24)], [1n, 1n], 'seconds to live');
  t.same([body.readUInt32LE(32), body.readUInt32LE(36)], [500_000_000, 500_000_000], 'and nanoseconds');
  t.equal(body.readUInt32LE(40 + 60), 0o100640);
  t.equal(body.readUInt32LE(128 + 8), 0, 'neither direct nor cached from before');
  const node = kernel.lookup(1, '文件');
  const handle = Number(body.readBigUInt64LE(128));
  const data = Buffer.from('some text');
  t.equal(kernel.write(node, handle, 3, data).body.readUInt32LE(0), data.length);
  t.same(kernel.read(node, handle, 0, 100).body, Buffer.concat([Buffer.alloc(3), data]));
  t.same(kernel.read(node, handle, 5, 2).body, Buffer.from('me'));
  t.equal(kernel.read(node, handle, 100, 10).body.length, 0);
  const attr = kernel.ask(OPCODE.GETATTR, node, u32(0), u32(0), u64(0)).body;
  t.equal(attr.length, 104);
  t.same([attr.readBigUInt64LE(16), attr.readBigUInt64LE(24)], [BigInt(node), 12n], 'ino and size');
  t.equal(kernel.write(node, handle, 0, Buffer.alloc(1024 * 1024)).body.readUInt32LE(0), 1024 * 1024);
  t.equal(kernel.read(node, handle, 0, 0xffffffff).body.length, 1024 * 1024, 'never more than was agreed');
  t.end();
});

t.test('a write whose length lies is refused', (t) => {
  const kernel = KernelClient.ready();
  const { node, handle } = kernel.create(1, 'f');
  const head = (size: number) => [u64(handle), u64(0), u32(size), u32(0), u64(0), u32(0), u32(0)];
  for (const size of [4, 6, 0, 0xffffffff]) {
    t.equal(
      kernel.ask(OPCODE.WRITE, node, ...head(size), Buffer.from('12345')).errno,
      ERRNO.EINVAL,
      `${size}`,
    );
  }
  t.equal(kernel.fileSystem.nodes.get(node)?.data.length, 0);
  t.end();
});

t.test('setattr changes what its bits say and nothing else', (t) => {
  const kernel = KernelClient.ready();
  const { node } = kernel.create(1, 'f');
  const setattr = (valid: number) => {
    const body = Buffer.alloc(88);
    body.writeUInt32LE(valid, 0);
    body.writeBigUInt64LE(5n, 16); // size
    body.writeBigInt64LE(-2n, 32); // atime
    body.writeBigInt64LE(10n, 40); // mtime
    body.writeUInt32LE(7, 56);
    body.writeUInt32LE(8, 60);
    body.writeUInt32LE(0o600, 68);
    body.writeUInt32LE(11, 76);
    body.writeUInt32LE(12, 80);
    return kernel.ask(OPCODE.SETATTR, node, body);
  };
  const attr = () => kernel.fileSystem.nodes.get(node)!.attr;
  const before = attr();
  setattr(0);
  t.same(attr(), before);
  setattr(1);
  t.equal(attr().mode, 0o100600);
  setattr(8);
  t.equal(kernel.fileSystem.nodes.get(node)?.data.length, 5);
  setattr(16);
  t.equal(attr().atimeNs, -1_999_999_993n, 'before 1970');
  const reply = setattr(32);
  t.equal(attr().mtimeNs, 10_000_000_008n);
  t.same([reply.body.readBigInt64LE(16 + 24), reply.body.readUInt32LE(16 + 48)], [-2n, 7], 'and so reported');
  setattr(16 | 128);
  t.ok(attr().atimeNs > 1_600_000_000_000_000_000n, 'now');
  if (process.getuid?.() === 0) {
    setattr(2 | 4);
    t.match(attr(), { uid: 11, gid: 12 });
  }
  t.equal(kernel.ask(OPCODE.SETATTR, node, Buffer.alloc(80)).errno, ERRNO.EINVAL);
  t.end();
});

t.test('names are linked, moved and removed', (t) => {
  const kernel = KernelClient.ready();
  const { node } = kernel.create(1, 'a');
  const children = () =>
    [...kernel.fileSystem.nodes.get(1)!.children.keys()].filter((name) => name !== 'whoami').sort();
  t.equal(kernel.ask(OPCODE.LINK, 1, u64(node), text('b')).errno, 0);
  t.equal(kernel.ask(OPCODE.MKNOD, 1, u32(0o100644), u32(0), u32(0o22), u32(0), text('c')).errno, 0);
  t.equal(kernel.ask(OPCODE.SYMLINK, 1, text('l'), text('b/→')).errno, 0);
  t.equal(kernel.ask(OPCODE.READLINK, kernel.lookup(1, 'l')).body.toString(), 'b/→');
  t.same(children(), ['a', 'b', 'c', 'l']);
  const rename2 = (flags: number, from: string, to: string) =>
    kernel.ask(OPCODE.RENAME2, 1, u64(1), u32(flags), u32(0), text(from), text(to)).errno;
  t.equal(rename2(1, 'a', 'b'), ERRNO.EEXIST);
  t.equal(rename2(2, 'a', 'z'), ERRNO.ENOENT);
  t.equal(rename2(4, 'a', 'z'), ERRNO.EINVAL, 'whiteouts are no business of ours');
  t.equal(rename2(3, 'a', 'b'), ERRNO.EINVAL);
  t.equal(rename2(2, 'a', 'l'), 0);
  t.equal(kernel.lookup(1, 'l'), node);
  t.equal(kernel.ask(OPCODE.RENAME, 1, u64(1), text('l'), text('m')).errno, 0);
  t.equal(kernel.ask(OPCODE.UNLINK, 1, text('c')).errno, 0);
  t.equal(kernel.ask(OPCODE.MKDIR, 1, u32(0o755), u32(0), text('d')).errno, 0);
  t.equal(kernel.ask(OPCODE.RMDIR, 1, text('d')).errno, 0);
  t.same(children(), ['a', 'b', 'm']);
  t.end();
});

t.test('extended attributes', (t) => {
  const kernel = KernelClient.ready();
  const { node } = kernel.create(1, 'f');
  const value = Buffer.from([1, 0, 255]);
  t.equal(kernel.ask(OPCODE.SETXATTR, node, u32(3), u32(0), text('user.a'), value).errno, 0);
  t.equal(kernel.ask(OPCODE.SETXATTR, node, u32(4), u32(0), text('user.a'), value).errno, ERRNO.EINVAL);
  t.equal(kernel.ask(OPCODE.GETXATTR, node, u32(0), u32(0), text('user.a')).body.readUInt32LE(0), 3);
  t.same(kernel.ask(OPCODE.GETXATTR, node, u32(3), u32(0), text('user.a')).body, value);
  t.equal(kernel.ask(OPCODE.GETXATTR, node, u32(2), u32(0), text('user.a')).errno, ERRNO.ERANGE);
  t.equal(kernel.ask(OPCODE.GETXATTR, node, u32(2), u32(0), text('user.b')).errno, ERRNO.ENODATA);
  t.equal(kernel.ask(OPCODE.LISTXATTR, node, u32(100), u32(0)).body.toString(), 'user.a\0');
  t.equal(kernel.ask(OPCODE.REMOVEXATTR, node, text('user.a')).errno, 0);
  t.equal(kernel.ask(OPCODE.LISTXATTR, node, u32(0), u32(0)).body.readUInt32LE(0), 0);
  t.end();
});

t.test('the size of the file system', (t) => {
  const { body } = KernelClient.ready().ask(OPCODE.STATFS, 1);
  t.equal(body.length, 80);
  t.same(
    [0, 8, 16, 24, 32].map((at) => Number(body.readBigUInt64LE(at))),
    [1000, 500, 400, 100, 50],
  );
  t.same(
    [40, 44, 48].map((at) => body.readUInt32LE(at)),
    [4096, 255, 4096],
  );
  t.end();
});

t.test('bytes that pass through go between the device and the descriptor', (t) => {
  const path = join(t.testdir({ real: 'real text' }), 'real');
  const kernel = KernelClient.ready({ backed: { file: path }, defer: true });
  const node = kernel.lookup(1, 'file');
  const handle = kernel.open(node);
  t.equal(kernel.read(node, handle, 5, 100).body.toString(), 'text');
  t.equal(kernel.write(node, handle, 9, Buffer.from('!')).errno, 0);
  t.equal(readFileSync(path, 'utf8'), 'real text!');

  const fsync = (handle: number, flags: number) =>
    kernel.tell(OPCODE.FSYNC, node, u64(handle), u32(flags), u32(0));
  t.equal(fsync(handle, 1), undefined, 'answered later');
  t.match(kernel.deferred, [{ dataOnly: true, unique: /./ }]);
  t.equal(fsync(kernel.create(1, 'memory').handle, 0)?.errno, 0, 'others at once');

  const { fd } = kernel.deferred[0]!;
  t.equal(kernel.ask(OPCODE.FLUSH, node, u64(handle), u64(0), u64(0)).errno, 0);
  t.equal(kernel.ask(OPCODE.RELEASE, node, u64(handle), u32(0), u32(0), u64(0)).errno, 0);
  t.throws(() => closeSync(fd), { code: 'EBADF' });
  t.equal(kernel.read(node, handle, 0, 1).errno, ERRNO.EIO, 'a handle that is gone');
  t.end();
});

t.test('without anybody to take it over, a sync is done in place', (t) => {
  const path = join(t.testdir({ real: '' }), 'real');
  const kernel = KernelClient.ready({ backed: { file: path } });
  const node = kernel.lookup(1, 'file');
  const handle = kernel.open(node);
  for (const flags of [0, 1])
    t.equal(kernel.ask(OPCODE.FSYNC, node, u64(handle), u32(flags), u32(0)).errno, 0);
  t.end();
});

t.test('the remaining operations read their bodies whole', (t) => {
  const kernel = KernelClient.ready();
  const { body } = kernel.ask(OPCODE.OPENDIR, 1, u32(0), u32(0));
  const handle = body.subarray(0, 8);
  t.equal(kernel.ask(OPCODE.FSYNCDIR, 1, handle, u32(0), u32(0)).errno, 0);
  t.equal(kernel.ask(OPCODE.RELEASEDIR, 1, handle, u64(0), u64(0)).errno, 0);
  t.equal(kernel.ask(OPCODE.ACCESS, 1, u32(4), u32(0)).errno, 0);
  t.equal(kernel.ask(OPCODE.DESTROY, 0).errno, 0);
  const bodies: [number, number][] = [
    [OPCODE.FSYNCDIR, 16],
    [OPCODE.RELEASEDIR, 24],
    [OPCODE.ACCESS, 8],
    [OPCODE.FLUSH, 24],
    [OPCODE.RELEASE, 24],
    [OPCODE.READ, 40],
    [OPCODE.OPEN, 8],
    [OPCODE.GETATTR, 16],
    [OPCODE.STATFS, 0],
  ];
  for (const [opcode, size] of bodies) {
    t.equal(kernel.ask(opcode, 1, Buffer.alloc(size + 1)).errno, ERRNO.EINVAL, `${opcode}, too long`);
    if (size > 0)
      t.equal(kernel.ask(opcode, 1, Buffer.alloc(size - 1)).errno, ERRNO.EINVAL, `${opcode}, too short`);
  }
  t.end();
});
