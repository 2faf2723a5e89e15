import fc from 'fast-check';
import t from 'tap';
import {
  formatTerminalMeta,
  formatTerminalState,
  parseTerminalMeta,
  parseTerminalRecord,
  parseTerminalState,
  TERMINAL_STATES,
  type TerminalMeta,
} from '../../src/session/terminal.ts';
import { base64, hostileText, nearFrame, overTheWire, parsesOrRefuses, timestamp } from '../arbitrary.ts';
import { holds } from '../property.ts';

const ts = '2026-03-01T12:00:00.000Z';
const meta = {
  id: 'terminal-coder-default',
  agent: 'coder',
  session: 'default',
  owner: 1000,
  cwd: '/workspace',
  command: ['/ctx/bin/tsh'],
  state: 'running',
  socket: '/run/user/1000/cortexfs/terminal/coder/default/main.sock',
  created_at: ts,
  size: { cols: 80, rows: 24 },
} as unknown as TerminalMeta;

t.test('meta.json is one line and comes back', async (t) => {
  const json = formatTerminalMeta(meta);
  t.equal(json.indexOf('\n'), json.length - 1);
  t.same(parseTerminalMeta(json), meta);
  for (const bad of [
    '',
    json.replace('running', 'sleeping'),
    json.replace('"rows":24', '"rows":0'),
    json.replace('"/workspace"', '"x"'),
  ])
    t.throws(() => parseTerminalMeta(bad), { code: 'EINVAL' });
});

t.test('a state is one word and a newline', async (t) => {
  for (const state of TERMINAL_STATES) t.equal(parseTerminalState(formatTerminalState(state)), state);
  for (const text of ['', 'running', 'idle\n'])
    t.throws(() => parseTerminalState(text), { code: 'EINVAL', layer: 'terminal' });
});

t.test('every record is read as it is', async (t) => {
  const head = { seq: 1, ts };
  const records = [
    { type: 'pty.output', ...head, data_b64: 'YQ==' },
    { type: 'pty.resize', ...head, cols: 80, rows: 24 },
    { type: 'client.attach', ...head, uid: 0, pid: 7, mode: 'attach' },
    { type: 'client.detach', ...head, uid: 1000, pid: 7, mode: 'watch' },
    { type: 'process.exit', ...head, exit_code: 127, signal: null },
    { type: 'process.exit', ...head, exit_code: null, signal: 'SIGKILL' },
    { type: 'log.rotate', ...head, file: 'events.jsonl.1' },
    { type: 'error', ...head, code: 'ENOSPC', message: 'the log stops' },
  ];
  for (const record of records) t.same(parseTerminalRecord({ ...record, later: 1 }), record);
  for (const bad of [
    {},
    { ...records[0], seq: 0 },
    { ...records[0], data_b64: '?' },
    { ...records[2], mode: 'own' },
    { type: 'x', ...head },
  ])
    t.throws(() => parseTerminalRecord(bad as never), {
      code: 'EINVAL',
      message: /^invalid terminal record: /,
    });
});

t.test('property: output records come back, anything else is refused', async (t) => {
  holds(
    t,
    fc.property(fc.integer({ min: 1 }), timestamp, base64, (seq, ts, data_b64) => {
      const record = { type: 'pty.output', seq, ts, data_b64 };
      return JSON.stringify(parseTerminalRecord(overTheWire(record))) === JSON.stringify(record);
    }),
  );
  const words = [
    'type',
    'pty.output',
    'process.exit',
    'seq',
    'ts',
    ts,
    'data_b64',
    'mode',
    ...Object.keys(meta),
  ];
  holds(
    t,
    fc.property(nearFrame(words), (line) =>
      parsesOrRefuses(() => parseTerminalRecord({ seq: 1, ts, ...line })),
    ),
  );
  holds(
    t,
    fc.property(nearFrame(words), (line) =>
      parsesOrRefuses(() => parseTerminalMeta(JSON.stringify({ ...meta, ...line }))),
    ),
  );
  holds(
    t,
    fc.property(hostileText, (text) => parsesOrRefuses(() => parseTerminalState(text))),
  );
});
