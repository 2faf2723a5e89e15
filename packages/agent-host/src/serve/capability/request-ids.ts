import { CortexError } from '@cortexfs/abi/errors';
import { MAX_CAPABILITY_REQUESTS } from '@cortexfs/abi/frames/capability';
import type { RequestId } from '@cortexfs/abi/names';

/** The request ids that a run has used. An attempt uses its id up, whatever comes of it. */
export class ConsumedIds {
  readonly #ids = new Set<RequestId>();

  /** EALREADY for an id that was used before, EDQUOT for more than a run may use. */
  consume(id: RequestId): void {
    if (this.#ids.has(id)) {
      throw new CortexError('EALREADY', `the request id ${JSON.stringify(id)} was used before`, {
        layer: 'socket',
      });
    }
    if (this.#ids.size >= MAX_CAPABILITY_REQUESTS) {
      throw new CortexError('EDQUOT', `a run may make ${MAX_CAPABILITY_REQUESTS} requests`, {
        layer: 'socket',
      });
    }
    this.#ids.add(id);
  }
}
