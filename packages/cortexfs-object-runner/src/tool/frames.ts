import { fromNodeError } from '@cortexfs/abi/errors';
import { errorFields } from '@cortexfs/abi/frames/error-fields';
import { encodeFrame, MAX_FRAME_BYTES } from '@cortexfs/abi/jsonl';
import type { RunId } from '@cortexfs/abi/names';
import type { ToolFrame } from '@cortexfs/abi/tool-io';
import type { ToolOutput } from '@cortexfs/tools/tool.ts';
import { writeAll } from '../stdio/output.ts';
import { pieces } from '../stdio/pieces.ts';

/** The output of one tool run, frame by frame on standard output. */
export class ToolFrames implements ToolOutput {
  readonly #run: RunId;
  #started = false;

  constructor(run: RunId) {
    this.#run = run;
  }

  start(): void {
    this.#started = true;
    this.#write({ type: 'start', run: this.#run });
  }

  /** A message when it fits into one frame, else deltas. */
  message(...texts: string[]): void {
    const content = texts.map((text) => ({ type: 'text' as const, text }));
    const line = JSON.stringify({ type: 'message', run: this.#run, content });
    if (Buffer.byteLength(line) < MAX_FRAME_BYTES) writeAll(1, Buffer.from(`${line}\n`));
    else
      for (const text of texts.flatMap((text) => pieces(text)))
        this.#write({ type: 'delta', run: this.#run, text });
  }

  done(): number {
    this.#write({ type: 'done', run: this.#run, status: 'ok' });
    return 0;
  }

  /** Error and done; the exit code tells the same. */
  fail(err: unknown): number {
    const error = fromNodeError(err, { layer: 'tool' });
    if (!this.#started) this.start();
    this.#write({ type: 'error', run: this.#run, ...errorFields(error) });
    this.#write({ type: 'done', run: this.#run, status: 'error' });
    return error.exitCode;
  }

  #write(frame: ToolFrame): void {
    writeAll(1, encodeFrame(frame));
  }
}
