import { setTimeout as delay } from 'node:timers/promises';
import { CortexError } from '@cortexfs/abi/errors';
import type { ApproveRequest } from '@cortexfs/abi/frames/agent-request';
import type { CallId, RunId } from '@cortexfs/abi/names';
import type { Connection } from '../socket/connection.ts';

/** How long a human may think about one call. */
export const APPROVAL_TIMEOUT_MS = 120_000;

export interface Approval {
  readonly decision: 'allow_once' | 'deny';
  /** Why it was denied, when nobody said so. */
  readonly reason?: string;
}

interface Question {
  readonly run: RunId;
  readonly call: CallId;
  readonly asker: Connection;
  readonly answer: (approval: Approval) => void;
}

/**
 * Where calls of agents with `approval` set to `ask` wait for their one answer (docs/run.md, "Approval"). It must come
 * on the connection that sent the request. Everything else denies: another answer, an unreadable line, the end of the
 * connection, the time-out.
 */
export class ApprovalDesk {
  readonly #questions = new Set<Question>();
  readonly #timeoutMs: number;

  constructor(timeoutMs = APPROVAL_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  /** `announce` records the request once an answer to it can be taken. */
  async ask(
    run: RunId,
    call: CallId,
    asker: Connection,
    signal: AbortSignal,
    announce: () => void,
  ): Promise<Approval> {
    const over = new AbortController();
    try {
      return await new Promise<Approval>((resolve) => {
        const deny = (reason: string) => resolve({ decision: 'deny', reason });
        const question = { run, call, asker, answer: resolve };
        this.#questions.add(question);
        const stop = asker.onDistrust(() => deny('the client left or sent something unreadable'));
        over.signal.addEventListener('abort', () => {
          this.#questions.delete(question);
          stop();
        });
        signal.addEventListener('abort', () => deny('the run was cancelled'), { signal: over.signal });
        delay(this.#timeoutMs, undefined, { signal: over.signal }).then(
          () => deny('nobody answered in time'),
          () => {},
        );
        announce();
        if (asker.closed.aborted) deny('the client left');
      });
    } finally {
      over.abort();
    }
  }

  /** Takes an `approve` request. EINVAL when it answers no question of this connection; what that one asked is denied. */
  answer({ run, id, decision }: ApproveRequest, from: Connection): void {
    const mine = [...this.#questions].filter((question) => question.asker === from);
    const asked = mine.find((question) => question.run === run && question.call === id);
    if (asked !== undefined) {
      asked.answer({ decision });
      return;
    }
    for (const question of mine)
      question.answer({ decision: 'deny', reason: 'the answer was for another call' });
    throw new CortexError('EINVAL', 'no call of this connection waits for that answer', {
      layer: 'approval',
    });
  }
}
