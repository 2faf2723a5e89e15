import type { HostContext } from '../host-context.ts';
import type { Session } from '../session/session.ts';
import { type Execute, SessionRuns } from './session-runs.ts';

/** The runs of every session that this process has opened. */
export class RunningSessions {
  readonly #host: HostContext;
  readonly #busy: (busy: boolean) => void;
  readonly #execute: Execute | undefined;
  readonly #sessions = new Map<Session, SessionRuns>();

  /** `busy` is told when the first run begins and when the last has ended. */
  constructor(host: HostContext, busy: (busy: boolean) => void, execute?: Execute) {
    this.#host = host;
    this.#busy = busy;
    this.#execute = execute;
  }

  of(session: Session): SessionRuns {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const runs = new SessionRuns(this.#host, session, () => this.#report(), this.#execute);
    this.#sessions.set(session, runs);
    return runs;
  }

  all(): SessionRuns[] {
    return [...this.#sessions.values()];
  }

  /** Cancels the runs of a session that goes away, and forgets it. */
  async end(session: Session): Promise<void> {
    await this.#sessions.get(session)?.stop();
    this.#sessions.delete(session);
  }

  async stop(): Promise<void> {
    await Promise.all(this.all().map((runs) => runs.stop()));
  }

  #report(): void {
    this.#busy(this.all().some((runs) => runs.active !== undefined));
  }
}
