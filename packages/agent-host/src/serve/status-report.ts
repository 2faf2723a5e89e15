import type { AgentStatus } from '@cortexfs/abi/controls/status';
import { writeStatus } from '../launch/status-file.ts';
import type { HostContext } from './host-context.ts';

/** The agent's status file while the host serves: one write at a time, in order, nothing after `stopping`. */
export class StatusReport {
  readonly #host: HostContext;
  #stopping = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(host: HostContext) {
    this.#host = host;
  }

  /** The file is for people to look at: a failure to write it stops nothing. */
  write(status: AgentStatus): void {
    if (this.#stopping) return;
    this.#stopping = status === 'stopping';
    const { site, agent, log } = this.#host;
    this.#writing = this.#writing
      .then(() => writeStatus(site.runtime, agent, status))
      .catch((error: Error) => log(`cannot write the status: ${error.message}`));
  }

  /** Resolves when the last of them is written. */
  close(): Promise<void> {
    return this.#writing;
  }
}
