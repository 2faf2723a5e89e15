import { CortexError } from '../errors.ts';
import type { TerminalSize } from '../frames/terminal.ts';
import { type JsonObject, parseJsonObject } from '../json.ts';
import { type ObjectName, parseObjectName, parseSessionName, type SessionName } from '../names.ts';
import {
  absolutePath,
  base64,
  integer,
  list,
  nullable,
  object,
  oneOf,
  parsed,
  type Reader,
  readAs,
  text,
  variant,
} from '../shape.ts';
import { parseTimestamp, type Timestamp } from '../timestamp.ts';

export const TERMINAL_STATES = ['created', 'running', 'exited', 'error'] as const;
export type TerminalState = (typeof TERMINAL_STATES)[number];

/** A terminal's `meta.json`. See docs/sessions.md. */
export interface TerminalMeta {
  id: string;
  agent: ObjectName;
  session: SessionName;
  owner: number;
  cwd: string;
  command: string[];
  state: TerminalState;
  socket: string;
  created_at: Timestamp;
  size: TerminalSize;
}

/** One line of a terminal's events.jsonl; `seq` never repeats, also after a restart. */
export type TerminalRecord = { seq: number; ts: Timestamp } & (
  | { type: 'pty.output'; data_b64: string }
  | ({ type: 'pty.resize' } & TerminalSize)
  | { type: 'client.attach' | 'client.detach'; uid: number; pid: number; mode: 'watch' | 'attach' }
  | { type: 'process.exit'; exit_code: number | null; signal: string | null }
  | { type: 'log.rotate'; file: string }
  | { type: 'error'; code: string; message: string }
);

export function parseTerminalMeta(json: string): TerminalMeta {
  return readAs('terminal meta.json', meta, parseJsonObject(json));
}

export function formatTerminalMeta(value: TerminalMeta): string {
  return `${JSON.stringify(value)}\n`;
}

export function parseTerminalRecord(line: JsonObject): TerminalRecord {
  return readAs('terminal record', record, line);
}

/** A terminal's `state` and `status` file: one word and a newline. */
export function parseTerminalState(content: string): TerminalState {
  const state = TERMINAL_STATES.find((word) => content === `${word}\n`);
  if (state) return state;
  throw new CortexError(
    'EINVAL',
    `${JSON.stringify(content.slice(0, 40))} is not a terminal state: one of ${TERMINAL_STATES.join(' ')}, then a newline`,
    { layer: 'terminal' },
  );
}

export function formatTerminalState(state: TerminalState): string {
  return `${state}\n`;
}

const extent = integer(1, 1000);
const size = { cols: extent, rows: extent };
const id = integer(0, 0xffff_fffe);

const meta: Reader<TerminalMeta> = object({
  id: text({ maxBytes: 256 }),
  agent: parsed(parseObjectName),
  session: parsed(parseSessionName),
  owner: id,
  cwd: absolutePath,
  command: list(text()),
  state: oneOf(...TERMINAL_STATES),
  socket: absolutePath,
  created_at: parsed(parseTimestamp),
  size: object(size),
});

const head = { seq: integer(1), ts: parsed(parseTimestamp) };
const client = { ...head, uid: id, pid: integer(0), mode: oneOf('watch', 'attach') };

const record: Reader<TerminalRecord> = variant<TerminalRecord>('type', {
  'pty.output': object({ type: oneOf('pty.output'), ...head, data_b64: base64 }),
  'pty.resize': object({ type: oneOf('pty.resize'), ...head, ...size }),
  'client.attach': object({ type: oneOf('client.attach'), ...client }),
  'client.detach': object({ type: oneOf('client.detach'), ...client }),
  'process.exit': object({
    type: oneOf('process.exit'),
    ...head,
    exit_code: nullable(integer(0, 255)),
    signal: nullable(text()),
  }),
  'log.rotate': object({ type: oneOf('log.rotate'), ...head, file: text() }),
  error: object({ type: oneOf('error'), ...head, code: text(), message: text() }),
});
