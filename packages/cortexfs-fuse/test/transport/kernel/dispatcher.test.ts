import { ERRNO } from '@cortexfs/abi/errno';
import t from 'tap';
import { OPCODE } from '../../../src/transport/kernel/wire/opcode.ts';
import { KernelClient, message, parseListing, text, u32, u64 } from './support/kernel-client.ts';

t.test('before the handshake nothing else is answered', (t) => {
  const kernel = new KernelClient();
  t.equal(kernel.ask(OPCODE.GETATTR, 1, u32(0), u32(0), u64(0)).errno, ERRNO.EPROTO);
  t.notOk(kernel.dispatcher.agreed);
  t.end();
});

t.test('handshake', (t) => {
  t.test('takes what the kernel offers and is wanted, never the write-back cache', (t) => {
    const kernel = new KernelClient();
    const { errno, body } = kernel.ask(
      OPCODE.INIT,
      0,
      u32(7),
      u32(45),
      u32(65536),
      u32(0xffffffff),
      u32(0xffffffff),
      Buffer.alloc(44),
    );
    t.equal(errno, 0);
    t.equal(body.length, 64);
    t.same([body.readUInt32LE(0), body.readUInt32LE(4), body.readUInt32LE(8)], [7, 38, 65536]);
    const flags = body.readUInt32LE(12);
    t.equal(flags & (1 << 16), 0, 'no write-back cache');
    t.ok(flags & (1 << 22), 'long requests');
    t.ok(flags & (1 << 13), 'READDIRPLUS');
    t.equal(body.readUInt32LE(20), 1024 * 1024, 'largest write');
    t.equal(body.readUInt16LE(28), 256, 'pages in a request');
    t.ok(kernel.dispatcher.agreed);
    t.end();
  });

  t.test('takes nothing that an older kernel does not offer', (t) => {
    const kernel = new KernelClient();
    const { errno, body } = kernel.ask(OPCODE.INIT, 0, u32(7), u32(31), u32(65536), u32(1));
    t.equal(errno, 0);
    t.same([body.readUInt32LE(4), body.readUInt32LE(12), body.readUInt32LE(32)], [31, 1, 0]);
    t.end();
  });

  t.test('is refused below 7.31, and renegotiated above 7', (t) => {
    const old = new KernelClient();
    t.equal(old.ask(OPCODE.INIT, 0, u32(7), u32(30), u32(0), u32(0)).errno, ERRNO.EPROTO);
    t.equal(old.ask(OPCODE.INIT, 0, u32(6), u32(99), u32(0), u32(0)).errno, ERRNO.EPROTO);
    t.notOk(old.dispatcher.agreed);
    t.match(old.dispatcher.refusal, { code: 'EPROTO', hint: /Linux 5.4/ });
    const future = new KernelClient();
    t.equal(future.ask(OPCODE.INIT, 0, u32(8), u32(0)).body.readUInt32LE(0), 7);
    t.notOk(future.dispatcher.agreed);
    t.equal(future.dispatcher.refusal, undefined);
    t.equal(future.ask(OPCODE.INIT, 0, u32(7), u32(40), u32(0), u32(0)).errno, 0);
    t.ok(future.dispatcher.agreed);
    t.end();
  });
  t.end();
});

t.test('names', (t) => {
  const kernel = KernelClient.ready();
  const lookup = (name: Buffer | string) => kernel.ask(OPCODE.LOOKUP, 1, text(name)).errno;
  t.equal(lookup('whoami'), 0);
  t.equal(lookup('nothing'), ERRNO.ENOENT);
  t.equal(lookup('n'.repeat(255)), ERRNO.ENOENT);
  t.equal(lookup('n'.repeat(256)), ERRNO.ENAMETOOLONG);
  t.equal(lookup('文'.repeat(86)), ERRNO.ENAMETOOLONG, '258 bytes in 86 characters');
  for (const name of ['', '.', '..', 'a/b', '/', 'whoami/'])
    t.equal(lookup(name), ERRNO.EINVAL, JSON.stringify(name));
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0x77, 0x80]]) {
    t.equal(lookup(Buffer.from(bytes)), ERRNO.EILSEQ, `bytes ${bytes}`);
  }
  t.equal(kernel.ask(OPCODE.LOOKUP, 1, Buffer.from('whoami')).errno, ERRNO.EINVAL, 'without its NUL');
  t.equal(kernel.ask(OPCODE.LOOKUP, 1, text('whoami'), text('x')).errno, ERRNO.EINVAL, 'with a NUL inside');
  t.equal(
    kernel.ask(OPCODE.RENAME, 1, u64(1), text('whoami')).errno,
    ERRNO.EINVAL,
    'the second one is missing',
  );
  t.equal(kernel.ask(OPCODE.MKDIR, 1, u32(0o755), u32(0), text(Buffer.from([0xff]))).errno, ERRNO.EILSEQ);
  t.equal(kernel.ask(OPCODE.SYMLINK, 1, text('l'), text('t'.repeat(4096))).errno, ERRNO.ENAMETOOLONG);
  t.equal(kernel.ask(OPCODE.SYMLINK, 1, text('l'), text('t'.repeat(4095))).errno, 0);
  t.equal(kernel.log.length, 0, 'none of it is worth a line');
  t.end();
});

t.test('messages that break the protocol are answered where an answer is possible', (t) => {
  const kernel = KernelClient.ready();
  const whole = message(OPCODE.LOOKUP, 7n, 1n, text('whoami'));
  t.equal(kernel.raw(whole)?.errno, 0);
  for (const length of [0, 1, 15, 16, 39])
    t.equal(kernel.raw(whole.subarray(0, length)), undefined, `${length} bytes`);
  t.equal(kernel.raw(whole.subarray(0, 42))?.errno, ERRNO.EPROTO, 'cut off');
  t.equal(kernel.raw(Buffer.concat([whole, whole]))?.errno, ERRNO.EPROTO, 'two in one');
  t.equal(
    kernel.raw(message(OPCODE.LOOKUP, 8n, 2n ** 60n, text('whoami')))?.errno,
    ERRNO.EINVAL,
    'a node that is none',
  );
  t.equal(kernel.raw(message(OPCODE.FORGET, 9n, 1n, u32(1))), undefined, 'what has no reply gets none');
  t.equal(kernel.raw(message(OPCODE.BATCH_FORGET, 9n, 1n, u32(1000))), undefined);
  t.end();
});

t.test('operations that are not served say so once and for all', (t) => {
  const kernel = KernelClient.ready();
  for (const opcode of [31, 32, 33, 37, 39, 40, 43, 46, 47, 48, 50, 51, 52, 4096, 0xffffffff]) {
    t.equal(kernel.ask(opcode, 1, Buffer.alloc(64)).errno, ERRNO.ENOSYS, `operation ${opcode}`);
  }
  t.end();
});

t.test('what the file system throws becomes an errno, and only faults are logged', (t) => {
  const kernel = KernelClient.ready();
  const { node, handle } = kernel.create(1, 'fault');
  kernel.write(node, handle, 0, Buffer.from('fault'));
  t.equal(kernel.ask(OPCODE.MKDIR, 1, u32(0o755), u32(0), text('fault')).errno, ERRNO.EEXIST);
  t.equal(kernel.log.length, 0);
  t.equal(kernel.ask(OPCODE.OPEN, node, u32(0), u32(0)).errno, ERRNO.EIO);
  t.match(kernel.log, [/OPEN: TypeError: a fault of the file system/]);
  t.equal(kernel.ask(OPCODE.GETATTR, 999, u32(0), u32(0), u64(0)).errno, ERRNO.ESTALE);
  t.end();
});

t.test('a lost reply takes back what it gave', (t) => {
  const kernel = KernelClient.ready();
  const { nodes, handles, released } = kernel.fileSystem;
  const node = kernel.lookup(1, 'whoami');
  t.equal(nodes.get(node)?.lookups, 1);
  kernel.lookup(1, 'whoami');
  kernel.dispatcher.replyIsLost();
  kernel.dispatcher.replyIsLost();
  t.equal(nodes.get(node)?.lookups, 1);

  const handle = kernel.open(node);
  kernel.dispatcher.replyIsLost();
  t.same(released, [handle]);

  const made = kernel.create(1, 'new');
  kernel.dispatcher.replyIsLost();
  t.equal(nodes.get(made.node)?.lookups, 0);
  t.equal(handles.size, 0);

  const { body } = kernel.ask(OPCODE.OPENDIR, 1, u32(0), u32(0));
  const directory = Number(body.readBigUInt64LE(0));
  const before = nodes.get(node)!.lookups;
  kernel.readdir(1, directory, 2, 4096, true);
  t.equal(nodes.get(node)?.lookups, before + 1);
  kernel.dispatcher.replyIsLost();
  t.equal(nodes.get(node)?.lookups, before);
  t.end();
});

t.test('forget gives counts back, singly and in batches', (t) => {
  const kernel = KernelClient.ready();
  const node = kernel.lookup(1, 'whoami');
  kernel.lookup(1, 'whoami');
  kernel.lookup(1, 'whoami');
  t.equal(kernel.tell(OPCODE.FORGET, node, u64(1)), undefined);
  t.equal(kernel.fileSystem.nodes.get(node)?.lookups, 2);
  t.equal(
    kernel.tell(OPCODE.BATCH_FORGET, 0, u32(2), u32(0), u64(node), u64(1), u64(node), u64(1)),
    undefined,
  );
  t.equal(kernel.fileSystem.nodes.get(node)?.lookups, 0);
  t.equal(kernel.tell(OPCODE.INTERRUPT, 0, u64(5)), undefined);
  t.end();
});

t.test('listings', (t) => {
  const kernel = KernelClient.ready();
  const names = Array.from({ length: 300 }, (_, i) => `name-${i}-${'ä'.repeat(i % 40)}`);
  for (const name of names) kernel.ask(OPCODE.MKDIR, 1, u32(0o755), u32(0), text(name));
  kernel.fileSystem.nodes.get(1)!.children.set('bad/name', kernel.fileSystem.nodes.get(2)!);
  kernel.fileSystem.nodes.get(1)!.children.set('x'.repeat(256), kernel.fileSystem.nodes.get(2)!);
  const directory = () => Number(kernel.ask(OPCODE.OPENDIR, 1, u32(0), u32(0)).body.readBigUInt64LE(0));

  for (const plus of [false, true]) {
    for (const size of [512, 4096, 1024 * 1024]) {
      const handle = directory();
      const seen: ReturnType<typeof parseListing> = [];
      for (;;) {
        const { errno, body } = kernel.readdir(1, handle, seen.at(-1)?.cookie ?? 0, size, plus);
        if (errno !== 0 || body.length === 0) break;
        t.ok(body.length <= size);
        const listed = parseListing(body, plus);
        if (plus)
          t.ok(
            listed.every(({ node }) => (node === 0) === (seen.length === 0)),
            'nodes come only with later entries, which the kernel asks for when they are wanted',
          );
        seen.push(...listed);
      }
      t.same(
        seen.map(({ name }) => name),
        ['.', '..', 'whoami', ...names],
        `plus ${plus}, ${size} bytes`,
      );
      t.same(new Set(seen.map(({ type }) => type)), new Set([4, 8]));
    }
  }
  t.match(kernel.log[0], /left out of a listing: "bad\/name"/);
  t.equal(kernel.readdir(1, directory(), 0, 16).errno, ERRNO.EINVAL, 'no room for one entry');
  t.end();
});
