import type { ErrnoName } from './errno.ts';
import { type ErrorFields, errorReaders } from './frames/error-fields.ts';
import type { JsonObject } from './json.ts';
import { type TextPart, textPart } from './model-io.ts';
import { parseRunId, type RunId } from './names.ts';
import { list, object, oneOf, parsed, type Reader, readAs, text, variant } from './shape.ts';

/** One line of a tool's output: `start`, `message` or `delta`s, maybe `error`, `done`. See docs/invocation.md. */
export type ToolFrame = { run: RunId } & (
  | { type: 'start' }
  | { type: 'delta'; text: string }
  | { type: 'message'; content: TextPart[] }
  | ({ type: 'error' } & ErrorFields)
  | { type: 'done'; status: 'ok' | 'error' }
);

/** What a tool call came to: the text of its messages, or its error as text with the errno name. */
export interface ToolResult {
  status: 'ok' | 'error';
  content: string;
  code?: ErrnoName;
}

/** One line of a tool's output; other fields are ignored, another type is EINVAL. */
export function parseToolFrame(frame: JsonObject): ToolFrame {
  return readAs('tool frame', toolFrame, frame);
}

/** The frames of a plain success. */
export function textResult(run: RunId, result: string): ToolFrame[] {
  return [
    { type: 'start', run },
    { type: 'message', run, content: [{ type: 'text', text: result }] },
    { type: 'done', run, status: 'ok' },
  ];
}

/**
 * Gathers the frames of one tool process. The order is checked: one `start` first, one `done` last, no frame of
 * another run; what breaks it is a result with status error and code EPROTO.
 */
export class ToolOutput {
  #run: RunId | undefined;
  #messages = '';
  #deltas = '';
  #error: ErrorFields | undefined;
  #done: 'ok' | 'error' | undefined;
  #fault: string | undefined;

  add(frame: ToolFrame): void {
    this.#fault ??= this.#misplaced(frame);
    if (this.#fault !== undefined) return;
    this.#run = frame.run;
    if (frame.type === 'delta') this.#deltas += frame.text;
    if (frame.type === 'message') this.#messages += frame.content.map((part) => part.text).join('');
    if (frame.type === 'error') this.#error = frame;
    if (frame.type === 'done') this.#done = frame.status;
  }

  /** The process ended. Deltas count only where no message repeats them. */
  result(): ToolResult {
    const fault = this.#fault ?? (this.#done === undefined ? 'it ended without a done frame' : undefined);
    if (fault !== undefined && this.#error === undefined)
      return { status: 'error', content: `EPROTO: invalid tool output: ${fault}`, code: 'EPROTO' };
    if (this.#error !== undefined)
      return {
        status: 'error',
        content: errorText(this.#error),
        code: this.#error.code,
      };
    return { status: this.#done ?? 'error', content: this.#messages || this.#deltas };
  }

  #misplaced({ type, run }: ToolFrame): string | undefined {
    if (this.#done !== undefined) return `a ${type} frame after done`;
    if (this.#run === undefined) return type === 'start' ? undefined : `a ${type} frame before start`;
    if (type === 'start') return 'a second start frame';
    return run === this.#run ? undefined : `a frame of another run, ${run}`;
  }
}

function errorText({ code, path, message }: ErrorFields): string {
  return [code, path, message].filter((part) => part !== undefined).join(': ');
}

const run = parsed(parseRunId);

const toolFrame: Reader<ToolFrame> = variant<ToolFrame>('type', {
  start: object({ type: oneOf('start'), run }),
  delta: object({ type: oneOf('delta'), run, text: text({ nul: true }) }),
  message: object({ type: oneOf('message'), run, content: list(textPart) }),
  error: object({ type: oneOf('error'), run, ...errorReaders }),
  done: object({ type: oneOf('done'), run, status: oneOf('ok', 'error') }),
});
