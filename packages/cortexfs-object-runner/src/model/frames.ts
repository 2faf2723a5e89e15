import { fromNodeError } from '@cortexfs/abi/errors';
import { errorFields } from '@cortexfs/abi/frames/error-fields';
import { encodeFrame, MAX_FRAME_BYTES } from '@cortexfs/abi/jsonl';
import type { RunId } from '@cortexfs/abi/names';
import { writeAll } from '../stdio/output.ts';
import type { ModelEvent } from './model.ts';

/** The output of one inference, frame by frame on standard output. */
export class ModelFrames {
  readonly #run: RunId;

  constructor(run: RunId) {
    this.#run = run;
  }

  start(model: string): void {
    this.#put({ type: 'start', model });
  }

  /** A message too long for one frame is left out: its deltas are the text. Anything else too long is EMSGSIZE. */
  write({ type, ...rest }: ModelEvent): void {
    const frame = { type, run: this.#run, ...rest };
    const line = Buffer.from(`${JSON.stringify(frame)}\n`);
    if (line.length <= MAX_FRAME_BYTES) writeAll(1, line);
    else if (type !== 'message') encodeFrame(frame);
  }

  done(): number {
    this.#put({ type: 'done', status: 'ok' });
    return 0;
  }

  /** Error and done; the exit code tells the same. */
  fail(err: unknown): number {
    const error = fromNodeError(err, { layer: 'model' });
    this.#put({ type: 'error', ...errorFields(error) });
    this.#put({ type: 'done', status: 'error' });
    return error.exitCode;
  }

  #put({ type, ...rest }: { type: string; [field: string]: unknown }): void {
    writeAll(1, encodeFrame({ type, run: this.#run, ...rest }));
  }
}
