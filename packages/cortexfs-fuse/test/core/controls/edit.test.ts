import { constants } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import fc from 'fast-check';
import t from 'tap';
import { Edit, type EditTarget } from '../../../src/core/controls/edit.ts';
import { GrowingContent } from '../../../src/core/controls/growing.ts';

const context = { uid: 1, gid: 1, pid: 1, groups: () => [] };

/** Records what is committed; whatever contains `!` is no value. */
class Recorder implements EditTarget {
  readonly path = 'agent/x.d/control';
  readonly growsTogether: boolean = false;
  readonly committed: string[] = [];
  closedEdits = 0;

  check(bytes: Buffer): void {
    if (bytes.includes('!')) throw new CortexError('EINVAL', 'bad');
  }

  commit(_context: unknown, bytes: Buffer): void {
    this.check(bytes);
    this.committed.push(bytes.toString());
  }

  closed(): void {
    this.closedEdits++;
  }
}

function edit(flags = constants.O_TRUNC, old = 'old', target = new Recorder()) {
  return { target, edit: new Edit(context, target, flags, Buffer.from(old), false) };
}

t.test('any sequence of writes and truncates has the content that a file would have', async () => {
  const step = fc.oneof(
    fc.record({ at: fc.nat(200), text: fc.string({ maxLength: 50 }) }),
    fc.record({ size: fc.nat(300) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const content = new GrowingContent('x');
      let model = Buffer.alloc(0);
      for (const change of steps) {
        if ('size' in change) {
          content.truncate(change.size);
          model = Buffer.concat([model, Buffer.alloc(Math.max(0, change.size - model.length))]).subarray(
            0,
            change.size,
          );
        } else {
          const data = Buffer.from(change.text);
          content.write(change.at, data);
          const end = Math.max(model.length, change.at + data.length);
          const grown = Buffer.alloc(end);
          model.copy(grown);
          data.copy(grown, change.at);
          model = grown;
        }
      }
      return content.bytes.equals(model);
    }),
  );
});

t.test('nothing is committed before something is written, and each content once', async (t) => {
  const { target, edit: e } = edit();
  e.flush(context);
  t.strictSame(target.committed, []);
  e.write(context, 0, Buffer.from('new'));
  e.flush(context);
  e.flush(context);
  e.release();
  t.strictSame(target.committed, ['new']);
  t.equal(target.closedEdits, 1);
});

t.test('without O_TRUNC the old content is written into', async (t) => {
  const { target, edit: e } = edit(0, 'abcdef');
  e.write(context, 2, Buffer.from('XY'));
  t.equal(e.read(0, 100).toString(), 'abXYef');
  t.equal(e.read(2, 2).toString(), 'XY');
  e.flush(context);
  t.strictSame(target.committed, ['abXYef']);
});

t.test('opened and closed without a write, only an emptying counts', async (t) => {
  const kept = edit(0);
  kept.edit.flush(context);
  kept.edit.release();
  t.strictSame(kept.target.committed, []);
  const emptied = edit();
  emptied.edit.flush(context);
  emptied.edit.release();
  t.strictSame(emptied.target.committed, ['']);
});

t.test('a bad first piece is refused at once, and poisons the edit', async (t) => {
  const { target, edit: e } = edit();
  t.throws(() => e.write(context, 0, Buffer.from('bad!')), { code: 'EINVAL' });
  e.write(context, 0, Buffer.from('good'));
  e.flush(context);
  e.fsync(context);
  e.release();
  t.strictSame(target.committed, []);
});

t.test('a long first piece, a later one and JSON are only checked as a whole', async (t) => {
  const long = edit();
  long.edit.write(context, 0, Buffer.from('!'.padEnd(4096)));
  t.throws(() => long.edit.flush(context), { code: 'EINVAL' });
  const later = edit();
  later.edit.write(context, 0, Buffer.from('a'));
  later.edit.write(context, 1, Buffer.from('!'));
  t.throws(() => later.edit.flush(context), { code: 'EINVAL' });
  later.edit.write(context, 1, Buffer.from('b'));
  later.edit.flush(context);
  t.strictSame(later.target.committed, ['ab'], 'mended by what was written next');
  class Json extends Recorder {
    override readonly growsTogether = true;
  }
  const json = edit(constants.O_TRUNC, '', new Json());
  json.edit.write(context, 0, Buffer.from('{!'));
  json.edit.write(context, 0, Buffer.from('{}'));
  json.edit.flush(context);
  t.strictSame(json.target.committed, ['{}']);
});

t.test('fsync commits like close, and appending ignores offsets', async (t) => {
  const { target, edit: e } = edit(constants.O_APPEND, 'one ');
  e.write(context, 0, Buffer.from('two'));
  e.fsync(context);
  t.strictSame(target.committed, ['one two']);
  e.truncate(3);
  t.equal(e.size, 3);
  e.flush(context);
  t.strictSame(target.committed, ['one two', 'one']);
});
