import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { LineLog } from '../../../src/serve/session/line-log.ts';
import { linesBackward, linesForward } from '../../../src/serve/session/lines.ts';
import { temporaryDirectory } from '../../temporary.ts';

/** Lines of every length around the chunk size, empty ones too. */
const lengths = fc.array(fc.oneof(fc.nat(8), fc.integer({ min: 65_530, max: 65_545 }), fc.nat(200_000)), {
  maxLength: 12,
});

t.test('both directions give the same lines as splitting the text', (t) => {
  const path = join(temporaryDirectory(t), 'log');
  fc.assert(
    fc.property(lengths, fc.boolean(), (sizes, closed) => {
      const text = sizes.map((size, index) => `${String(index % 10).repeat(size)}\n`).join('');
      const content = closed || text === '' ? text : `${text}tail`;
      writeFileSync(path, content);
      const log = LineLog.open(path);
      const expected = content.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      const forward = [...linesForward(log, 0)];
      t.strictSame(
        forward.map((line) => line.bytes.toString()),
        expected,
      );
      const backward = [...linesBackward(log)].reverse();
      t.strictSame(backward, forward);
      log.close();
    }),
    { numRuns: 60 },
  );
  t.end();
});

t.test('reading can begin in the middle and stop before the end', (t) => {
  const path = join(temporaryDirectory(t), 'log');
  writeFileSync(path, 'aa\nbb\ncc\ndd\n');
  const log = LineLog.open(path);
  t.strictSame(
    [...linesForward(log, 3, 9)].map((line) => line.bytes.toString()),
    ['bb\n', 'cc\n'],
  );
  t.strictSame(
    [...linesBackward(log, 6)].map((line) => line.start),
    [3, 0],
  );
  log.close();
  t.end();
});
