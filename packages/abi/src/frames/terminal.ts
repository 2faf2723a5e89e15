import { CortexError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import {
  base64,
  flag,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  type Reader,
  readAs,
  text,
  variant,
} from '../shape.ts';
import { type ErrorFields, errorReaders } from './error-fields.ts';

export const TERMINAL_SCHEMA = 'cortexfs.terminal/v1';
export const TERMINAL_SIGNALS = ['INT', 'TERM', 'HUP', 'QUIT', 'KILL', 'WINCH'] as const;
export type TerminalSignal = (typeof TERMINAL_SIGNALS)[number];
/** Columns and rows, each 1 to 1000. */
export interface TerminalSize {
  cols: number;
  rows: number;
}
export type TerminalMode = 'watch' | 'attach';

/** The first frame of a client. `replay`: the screen (default), nothing, or the output after a seq. */
export interface TerminalOpening {
  op: TerminalMode;
  cols?: number;
  rows?: number;
  replay?: 'screen' | 'none' | number;
  /** Lines wanted above the screen, as far as the terminal keeps them; 0 by default. */
  scrollback?: number;
}

/** What a client may send later. A watcher's input, resize and signal are EACCES. */
export type TerminalRequest =
  | { op: 'input'; data_b64: string }
  | ({ op: 'resize' } & TerminalSize)
  | { op: 'signal'; name: TerminalSignal }
  /** Asks for a fresh `screen`. */
  | { op: 'screen' }
  | { op: 'detach' }
  | { op: 'ping' };

/** What the terminal sends. `seq` numbers its records and never repeats. See docs/terminal.md. */
export type TerminalFrame =
  | ({
      type: 'hello';
      schema: typeof TERMINAL_SCHEMA;
      terminal: string;
      mode: TerminalMode;
      seq: number;
    } & TerminalSize)
  /** Bytes that paint the whole current screen on any terminal of that size; a part only when `more` follows. */
  | ({ type: 'screen'; seq: number; data_b64: string; more?: boolean } & TerminalSize)
  | { type: 'output'; seq: number; data_b64: string }
  | ({ type: 'resize'; seq: number } & TerminalSize)
  | { type: 'exit'; seq: number; exit_code: number | null; signal: string | null }
  | { type: 'pong' }
  | ({ type: 'error' } & ErrorFields);

export function parseTerminalOpening(frame: JsonObject): TerminalOpening {
  const asked = readAs('terminal request', opening, frame);
  if ((asked.cols === undefined) === (asked.rows === undefined)) return asked;
  throw new CortexError('EINVAL', 'invalid terminal request: "cols" and "rows" go together', {
    layer: 'terminal',
  });
}

export function parseTerminalRequest(frame: JsonObject): TerminalRequest {
  return readAs('terminal request', request, frame);
}

export function parseTerminalFrame(frame: JsonObject): TerminalFrame {
  return readAs('terminal frame', serverFrame, frame);
}

/** Whether only an attached client may send it. */
export function needsAttach({ op }: TerminalRequest): boolean {
  return op === 'input' || op === 'resize' || op === 'signal';
}

const extent = integer(1, 1000);
const size = { cols: extent, rows: extent };
const seq = integer();

const screenOrNone = oneOf('screen', 'none');
const openingFields = {
  cols: optional(extent),
  rows: optional(extent),
  replay: optional<'screen' | 'none' | number>((value, at) =>
    typeof value === 'number' ? seq(value, at) : screenOrNone(value, at),
  ),
  scrollback: optional(integer(0, 100_000)),
};

const opening: Reader<TerminalOpening> = variant<TerminalOpening>('op', {
  watch: object({ op: oneOf('watch'), ...openingFields }),
  attach: object({ op: oneOf('attach'), ...openingFields }),
});

const request: Reader<TerminalRequest> = variant<TerminalRequest>('op', {
  input: object({ op: oneOf('input'), data_b64: base64 }),
  resize: object({ op: oneOf('resize'), ...size }),
  signal: object({ op: oneOf('signal'), name: oneOf(...TERMINAL_SIGNALS) }),
  screen: object({ op: oneOf('screen') }),
  detach: object({ op: oneOf('detach') }),
  ping: object({ op: oneOf('ping') }),
});

const serverFrame: Reader<TerminalFrame> = variant<TerminalFrame>('type', {
  hello: object({
    type: oneOf('hello'),
    schema: oneOf(TERMINAL_SCHEMA),
    terminal: text(),
    mode: oneOf('watch', 'attach'),
    seq,
    ...size,
  }),
  screen: object({ type: oneOf('screen'), seq, data_b64: base64, more: optional(flag), ...size }),
  output: object({ type: oneOf('output'), seq, data_b64: base64 }),
  resize: object({ type: oneOf('resize'), seq, ...size }),
  exit: object({ type: oneOf('exit'), seq, exit_code: nullable(integer(0, 255)), signal: nullable(text()) }),
  pong: object({ type: oneOf('pong') }),
  error: object({ type: oneOf('error'), ...errorReaders }),
});
