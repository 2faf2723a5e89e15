import { CortexError } from '@cortexfs/abi/errors';
import { type DecodedFrame, FrameDecoder } from '@cortexfs/abi/jsonl';
import { parseCallId, parseRunId } from '@cortexfs/abi/names';
import fc from 'fast-check';
import t from 'tap';
import { AgentOutputRules, MAX_STEP_BYTES } from '../../../src/serve/run/agent-output.ts';

const RUN = parseRunId('R1');
const rules = (...used: string[]) => new AgentOutputRules(RUN, new Set(used.map(parseCallId)));
const decoded = (frame: object | string): DecodedFrame =>
  new FrameDecoder().push(Buffer.from(`${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n`))[0]!;
const accept = (frames: readonly (object | string)[], subject = rules()) => {
  for (const frame of frames) subject.accept(decoded(frame));
  return subject;
};

const CALL = { type: 'tool_call', id: 'c1', name: 'fs.read', arguments: {} };
const MESSAGE = { type: 'message', content: [{ type: 'text', text: 'x' }] };
const DELTA = { type: 'delta', text: 'x' };

t.test('what an agent may write', (t) => {
  const good: object[][] = [
    [],
    [DELTA, DELTA, MESSAGE],
    [DELTA, { type: 'reasoning_delta', text: 'x' }, { type: 'usage', input_tokens: 1 }, CALL],
    [MESSAGE, { type: 'usage' }, CALL],
    [
      { ...DELTA, run: 'R1' },
      { ...CALL, run: 'R1', unknown: 1 },
    ],
  ];
  for (const frames of good) t.doesNotThrow(() => accept(frames), JSON.stringify(frames));
  t.match(accept([CALL]).call, { id: 'c1', name: 'fs.read' });
  t.equal(accept([MESSAGE]).call, undefined);
  t.end();
});

t.test('what it may not', (t) => {
  const bad: (object | string)[][] = [
    [CALL, CALL],
    [CALL, DELTA],
    [CALL, { type: 'usage' }],
    [MESSAGE, MESSAGE],
    [MESSAGE, DELTA],
    [{ ...DELTA, run: 'R2' }],
    ['[]'],
    ['{'],
    ['null'],
    [{}],
    [{ type: 'done', status: 'ok' }],
    [{ type: 'start' }],
    [{ type: 'tool_result' }],
    [{ ...CALL, arguments: [] }],
    [{ ...CALL, arguments: 'x' }],
    [{ ...CALL, id: '' }],
    [{ ...CALL, id: 'with blank' }],
    [{ ...CALL, name: '../x' }],
    [{ ...CALL, name: 'x.d' }],
    [{ type: 'delta' }],
    [{ type: 'message', content: 'x' }],
    [{ type: 'message', role: 'user', content: [] }],
    [{ type: 'constructor' }],
  ];
  for (const frames of bad)
    t.throws(() => accept(frames), { code: 'EINVAL', layer: 'agent' }, JSON.stringify(frames));
  t.throws(() => accept([CALL], rules('c0', 'c1')), { code: 'EINVAL', message: /used before/ });
  t.end();
});

t.test('16 MiB a step, not one byte more', (t) => {
  const subject = rules();
  subject.count(MAX_STEP_BYTES);
  t.throws(() => subject.count(1), { code: 'EINVAL' });
  t.end();
});

t.test('random frames are accepted or EINVAL, never anything else', (t) => {
  const frame = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({
        type: fc.constantFrom('delta', 'message', 'tool_call', 'usage', 'done', '__proto__'),
        id: fc.anything(),
        name: fc.anything(),
        text: fc.anything(),
        content: fc.anything(),
        arguments: fc.anything(),
        run: fc.anything(),
      })
      .map((value) =>
        JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)),
      ),
  );
  fc.assert(
    fc.property(
      fc.array(
        frame.map((text) => text.replaceAll('\n', ' ')),
        { maxLength: 6 },
      ),
      (lines) => {
        try {
          accept(lines);
        } catch (error) {
          t.ok(error instanceof CortexError && error.code === 'EINVAL', String(error));
        }
      },
    ),
    { numRuns: 500 },
  );
  t.end();
});
