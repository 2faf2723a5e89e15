import type { RequestId, RunId } from '@cortexfs/abi/names';
import type { Connection } from '../socket/connection.ts';

/** What a client asked for. */
export type RunTask =
  | { readonly op: 'send'; readonly input: string }
  | { readonly op: 'tsh'; readonly args: readonly string[] };

export interface RunOrder {
  readonly requestId: RequestId;
  /** Digest of the request's payload. */
  readonly sha256: string;
  readonly task: RunTask;
  /** Where the processes start, as the agent sees it. */
  readonly cwd: string;
  /** Who asked: the only one who may approve its calls. */
  readonly asker: Connection;
}

/** One run while it lasts. */
export class Run {
  readonly id: RunId;
  readonly order: RunOrder;
  step = 0;
  /** `provider/model`, when the agent's model could be resolved. */
  model: string | undefined;
  /** Its `done` is stored. */
  ended = false;
  readonly #cancelled = new AbortController();
  readonly #broken = new AbortController();

  constructor(id: RunId, order: RunOrder) {
    this.id = id;
    this.order = order;
  }

  /** Aborted when the run is to end. */
  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  /** Aborted, with the error as its reason, when the session could not be written: no `done` will come. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  cancel(): void {
    this.#cancelled.abort();
  }

  breakOff(error: unknown): void {
    this.#broken.abort(error);
  }
}
