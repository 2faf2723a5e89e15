import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { openFileSystem } from '../../../src/core/open.ts';
import { Dispatcher } from '../../../src/transport/kernel/dispatcher.ts';
import { OPCODE } from '../../../src/transport/kernel/wire/opcode.ts';
import { makeStore, RUNNER } from '../../fixture/store.ts';
import { message, text, u32, u64 } from './support/kernel-client.ts';

const ESTALE = 116;
const EIO = 5;
const NODES = 400;

const known = [
  ...[
    'agent',
    'coder',
    'coder.d',
    'coder.sock',
    'policy',
    'window',
    '.new',
    'tool',
    'fs.read',
    'home',
    'shared',
  ],
  ...[
    'notes',
    'today',
    'model',
    'debug',
    'main',
    'echo',
    'status',
    'pid',
    'hooks',
    '.view',
    'bin',
    String(process.geteuid!()),
  ],
];
const name = fc
  .oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, fc.string({ maxLength: 9 }))
  .map((word) => text(word));
const number = fc.oneof(fc.nat(40), fc.nat(0xffffffff));
const field = fc.oneof(
  number.map(u32),
  number.map(u64),
  name,
  fc.uint8Array({ maxLength: 90 }).map((bytes) => Buffer.from(bytes)),
);
/** Bodies as the kernel lays them out, with any content, and bodies that it would never send. */
const shaped = fc.oneof(
  fc.tuple(fc.constant(OPCODE.LOOKUP), name),
  fc.tuple(fc.constantFrom(OPCODE.UNLINK, OPCODE.RMDIR), name),
  fc.tuple(fc.constant(OPCODE.SYMLINK), fc.tuple(name, name).map(Buffer.concat)),
  fc.tuple(fc.constant(OPCODE.MKDIR), fc.tuple(number.map(u32), number.map(u32), name).map(Buffer.concat)),
  fc.tuple(fc.constant(OPCODE.OPEN), fc.tuple(fc.nat(0xffff).map(u32), number.map(u32)).map(Buffer.concat)),
  fc.tuple(
    fc.constant(OPCODE.CREATE),
    fc
      .tuple(fc.nat(0xffff).map(u32), number.map(u32), number.map(u32), number.map(u32), name)
      .map(Buffer.concat),
  ),
  fc.tuple(
    fc.constant(OPCODE.RENAME2),
    fc.tuple(number.map(u64), fc.nat(3).map(u32), number.map(u32), name, name).map(Buffer.concat),
  ),
  fc.tuple(fc.constant(OPCODE.LINK), fc.tuple(fc.nat(40).map(u64), name).map(Buffer.concat)),
  fc.tuple(
    fc.constantFrom(...Object.values(OPCODE).filter((code) => code !== OPCODE.INIT)),
    fc.array(field, { maxLength: 9 }).map(Buffer.concat),
  ),
);
const request = fc.tuple(fc.nat(40), shaped);

t.test(
  'over a real store: whatever is asked, the daemon has no fault, the store’s neighbours stay, all is forgotten',
  (t) => {
    const store = makeStore();
    writeFileSync(join(store.base, 'outside'), 'outside');
    const fs = openFileSystem({ source: store.source, runtime: store.runtime, runner: RUNNER });
    t.teardown(() => {
      fs.destroy();
      store.remove();
    });
    const log: string[] = [];
    const dispatcher = new Dispatcher(fs, { log: (line) => log.push(line) });
    let unique = 0n;
    const ask = (opcode: number, node: number, body: Buffer) =>
      dispatcher.answer(message(opcode, ++unique, BigInt(node), body))?.readInt32LE(4);
    ask(
      OPCODE.INIT,
      0,
      Buffer.concat([7, 38, 131072, 0xffffffff, 0xffffffff].map(u32).concat(Buffer.alloc(44))),
    );

    fc.assert(
      fc.property(fc.array(request, { minLength: 20, maxLength: 60 }), (requests) =>
        requests.every(([node, [opcode, body]]) => ask(opcode, node, body) !== -EIO),
      ),
      { numRuns: 150 },
    );
    t.strictSame(
      log.filter((line) => !/breaks the protocol|left out of a listing/.test(line)),
      [],
      'no fault of its own',
    );
    t.equal(readFileSync(join(store.base, 'outside'), 'utf8'), 'outside');
    t.strictSame(readdirSync(store.base).sort(), ['outside', 'run', 'store']);

    t.test('counts are given back, interrupts change nothing', (t) => {
      const two = ['agent', 'tool'].map((word) => Buffer.from(text(word)));
      for (const word of two) t.equal(ask(OPCODE.LOOKUP, 1, word), 0);
      t.equal(ask(OPCODE.INTERRUPT, 0, u64(1)), undefined);
      t.equal(
        ask(OPCODE.BATCH_FORGET, 0, Buffer.concat([u32(3), u32(0), u64(2), u64(1)])),
        undefined,
        'cut short',
      );
      for (let node = 2; node < NODES; node++) t.equal(ask(OPCODE.FORGET, node, u64(2 ** 40)), undefined);
      t.equal(ask(OPCODE.FORGET, 1, u64(2 ** 40)), undefined);
      const attributes = Buffer.concat([u32(0), u32(0), u64(0)]);
      t.equal(ask(OPCODE.GETATTR, 1, attributes), 0, 'the root is never forgotten');
      const left = Array.from({ length: NODES - 2 }, (_, i) => i + 2).filter(
        (node) => ask(OPCODE.GETATTR, node, attributes) !== -ESTALE,
      );
      t.strictSame(left, []);
      t.end();
    });
    t.end();
  },
);
