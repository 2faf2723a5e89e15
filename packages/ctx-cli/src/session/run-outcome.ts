import { exitCodeOf } from '@cortexfs/abi/errno';
import { CortexError } from '@cortexfs/abi/errors';
import type { AgentReply } from '@cortexfs/abi/frames/agent-reply';

/** Exit code of an interrupted or cancelled run. */
export const CANCELLED = 130;

/** Follows the frames of one run and knows how it ended. */
export class RunOutcome {
  #error: CortexError | undefined;
  /** The exit code once `done` was seen. */
  exitCode: number | undefined;

  take(reply: AgentReply): void {
    if (reply.type === 'error')
      this.#error = new CortexError(reply.code, reply.message, { path: reply.path, hint: reply.hint });
    if (reply.type === 'error' && !('seq' in reply)) throw this.#error!;
    if (reply.type !== 'done') return;
    if (reply.status === 'ok') this.exitCode = 0;
    else this.exitCode = reply.status === 'cancelled' ? CANCELLED : exitCodeOf(this.#error?.code ?? 'EIO');
  }

  get error(): CortexError | undefined {
    return this.#error;
  }
}
