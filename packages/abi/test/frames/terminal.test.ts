import fc from 'fast-check';
import t from 'tap';
import {
  needsAttach,
  parseTerminalFrame,
  parseTerminalOpening,
  parseTerminalRequest,
  type TerminalFrame,
  type TerminalRequest,
} from '../../src/frames/terminal.ts';
import { base64, nearFrame, overTheWire, parsesOrRefuses } from '../arbitrary.ts';
import { holds } from '../property.ts';

t.test('a client opens with watch or attach', async (t) => {
  const openings = [
    { op: 'watch' },
    { op: 'attach', cols: 80, rows: 24 },
    { op: 'watch', replay: 'screen' },
    { op: 'watch', replay: 'none' },
    { op: 'watch', replay: 17 },
  ];
  for (const opening of openings) t.same(parseTerminalOpening({ ...opening, later: 1 }), opening);
  const faults: [object, RegExp][] = [
    [{ op: 'input', data_b64: '' }, /unknown op "input"/],
    [{ op: 'attach', cols: 80 }, /"cols" and "rows" go together/],
    [{ op: 'attach', cols: 0, rows: 1 }, /"cols": expected an integer from 1 to 1000, not 0/],
    [{ op: 'attach', cols: 80, rows: 1001 }, /"rows"/],
    [{ op: 'watch', replay: 'all' }, /"replay": expected "screen" or "none", not "all"/],
    [{ op: 'watch', replay: -1 }, /"replay": expected an integer/],
  ];
  for (const [frame, message] of faults)
    t.throws(() => parseTerminalOpening(frame as never), { code: 'EINVAL', message });
});

const requests: TerminalRequest[] = [
  { op: 'input', data_b64: 'bHMK' },
  { op: 'resize', cols: 1, rows: 1000 },
  { op: 'signal', name: 'INT' },
  { op: 'detach' },
  { op: 'ping' },
];

t.test('later frames of a client are read as they are', async (t) => {
  for (const request of requests)
    t.same(parseTerminalRequest({ ...overTheWire(request), later: 1 }), request);
});

t.test('only input, resize and signal need an attached client', async (t) => {
  t.same(
    requests.filter(needsAttach).map(({ op }) => op),
    ['input', 'resize', 'signal'],
  );
});

t.test('a wrong request is EINVAL', async (t) => {
  const faults: [object, RegExp][] = [
    [{ op: 'watch' }, /unknown op "watch"/],
    [{ op: 'input' }, /"data_b64" is missing/],
    [{ op: 'input', data_b64: 'ls' }, /not valid base64/],
    [{ op: 'signal', name: 'SIGINT' }, /"name": expected "INT"/],
    [{ op: 'signal', name: 'STOP' }, /"name"/],
    [{ op: 'resize', cols: 80 }, /"rows" is missing/],
  ];
  for (const [frame, message] of faults)
    t.throws(() => parseTerminalRequest(frame as never), { code: 'EINVAL', message });
});

t.test('frames of the terminal are read as they are', async (t) => {
  const frames: TerminalFrame[] = [
    {
      type: 'hello',
      schema: 'cortexfs.terminal/v1',
      terminal: 'terminal-coder-default',
      mode: 'watch',
      seq: 0,
      cols: 80,
      rows: 24,
    },
    { type: 'screen', seq: 3, data_b64: 'YQ==', cols: 80, rows: 24 },
    { type: 'output', seq: 4, data_b64: '' },
    { type: 'resize', seq: 5, cols: 100, rows: 30 },
    { type: 'exit', seq: 6, exit_code: 0, signal: null },
    { type: 'exit', seq: 6, exit_code: null, signal: 'SIGKILL' },
    { type: 'pong' },
    { type: 'error', code: 'EACCES', message: 'a watcher may not type' },
  ];
  for (const frame of frames) t.same(parseTerminalFrame({ ...overTheWire(frame), later: 1 }), frame);
  t.throws(() => parseTerminalFrame({ type: 'hello', schema: 'cortexfs.terminal/v2' }), {
    code: 'EINVAL',
    message: /"schema"/,
  });
});

t.test('property: input of any bytes arrives whole', async (t) => {
  holds(
    t,
    fc.property(base64, (data_b64) => {
      const request = parseTerminalRequest(overTheWire({ op: 'input', data_b64 }));
      return (
        request.op === 'input' && Buffer.from(request.data_b64, 'base64').toString('base64') === data_b64
      );
    }),
  );
});

t.test('property: anything is read or refused', async (t) => {
  const words = [
    'op',
    'type',
    'watch',
    'attach',
    'input',
    'resize',
    'cols',
    'rows',
    'replay',
    'hello',
    'output',
    'exit',
    'seq',
    'data_b64',
  ];
  holds(
    t,
    fc.property(nearFrame(words), (frame) =>
      [parseTerminalOpening, parseTerminalRequest, parseTerminalFrame].every((parse) =>
        parsesOrRefuses(() => parse(frame)),
      ),
    ),
    500,
  );
});
