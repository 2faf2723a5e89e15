import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { type ErrorFields, errorFields } from '@cortexfs/abi/frames/error-fields';
import { newRunId } from '@cortexfs/abi/run-id';
import type { HostContext } from '../host-context.ts';
import { executeRun } from '../run/engine.ts';
import { Run, type RunOrder } from '../run/run.ts';
import type { RecordedRequest } from '../session/request-ledger.ts';
import type { Session } from '../session/session.ts';
import { settleUnfinished } from '../session/settle.ts';

/** Most requests that wait in one session while a run is active. */
export const MAX_WAITING = 16;

/** Where a request's run begins in the log; `live` while it may still add to it. */
export interface StartedRun extends RecordedRequest {
  readonly live?: Run;
}

interface Pending {
  readonly run: Run;
  readonly started: Promise<StartedRun>;
  readonly start: (recorded: RecordedRequest) => void;
  readonly refuse: (error: unknown) => void;
}

/** How a run is carried out; `executeRun` unless a test says otherwise. */
export type Execute = typeof executeRun;

/** The runs of one session: one active, the others in the order in which they were asked for (docs/host.md, "Requests"). */
export class SessionRuns {
  readonly session: Session;
  readonly #host: HostContext;
  readonly #changed: () => void;
  readonly #execute: Execute;
  #active: Pending | undefined;
  #waiting: Pending[] = [];
  #working: Promise<void> = Promise.resolve();
  /** A run broke off and may have left the log without its end. */
  #unsettled: ErrorFields | undefined;

  /** `changed` is called when a run begins or ends. */
  constructor(host: HostContext, session: Session, changed: () => void, execute: Execute = executeRun) {
    this.#host = host;
    this.session = session;
    this.#changed = changed;
    this.#execute = execute;
  }

  /** The run whose `done` is still to come. */
  get active(): Run | undefined {
    const run = this.#active?.run;
    return run?.ended ? undefined : run;
  }

  /**
   * Where the request's run stands in the log, once it began. A request that came before gives the run that it had then:
   * nothing runs twice. EINVAL for the same id with another payload, EAGAIN when too many wait.
   */
  submit(order: RunOrder): Promise<StartedRun> {
    const pending = this.#pending(order);
    if (pending !== undefined) return samePayload(pending.run.order.sha256, order) && pending.started;
    const known = this.session.requests.get(order.requestId);
    if (known !== undefined) return samePayload(known.sha256, order) && Promise.resolve(known);
    if (this.#waiting.length >= MAX_WAITING) {
      throw new CortexError('EAGAIN', `${MAX_WAITING} requests wait in this session already`, {
        layer: 'session',
        hint: 'send it again when a run has ended',
      });
    }
    const added = pendingRun(order);
    this.#waiting.push(added);
    this.#working = this.#working.then(() => this.#next());
    return added.started;
  }

  /** Cancels the active or a waiting run by its run or request id. False when there is none. */
  cancel(id: string): boolean {
    const found = this.#all().find(({ run }) => !run.ended && (run.id === id || run.order.requestId === id));
    found?.run.cancel();
    const waiting = this.#waiting.indexOf(found!);
    if (waiting >= 0) {
      this.#waiting.splice(waiting, 1);
      found!.refuse(
        new CortexError('ECANCELED', 'the request was cancelled before it began', { layer: 'session' }),
      );
    }
    return found !== undefined;
  }

  /** Cancels everything and resolves when nothing runs any more. */
  async stop(): Promise<void> {
    for (const { run } of this.#all()) this.cancel(run.id);
    await this.#working;
  }

  #all(): Pending[] {
    return this.#active === undefined ? this.#waiting : [this.#active, ...this.#waiting];
  }

  #pending(order: RunOrder): Pending | undefined {
    return this.#all().find(({ run }) => run.order.requestId === order.requestId);
  }

  async #next(): Promise<void> {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#active = next;
    this.#changed();
    try {
      const { events, messages } = this.session;
      if (this.#unsettled !== undefined) await settleUnfinished(events, messages, this.#unsettled);
      this.#unsettled = undefined;
      await this.#execute(this.#host, this.session, next.run, next.start);
    } catch (error) {
      this.#host.log(`run ${next.run.id}: ${(error as Error).message}`);
      this.#unsettled ??= errorFields(fromNodeError(error, { layer: 'session' }));
      next.run.breakOff(error);
      next.refuse(error);
    }
    this.#active = undefined;
    this.#changed();
  }
}

function pendingRun(order: RunOrder): Pending {
  let start: Pending['start'] = () => {};
  let refuse: Pending['refuse'] = () => {};
  const run = new Run(newRunId(), order);
  const started = new Promise<StartedRun>((resolve, reject) => {
    start = (recorded) => resolve({ ...recorded, live: run });
    refuse = reject;
  });
  // A client that left does not wait for the answer; its refusal is no fault of the process.
  started.catch(() => {});
  return { run, started, start, refuse };
}

function samePayload(sha256: string, { requestId, sha256: other }: RunOrder): true {
  if (sha256 === other) return true;
  throw new CortexError('EINVAL', `the request id "${requestId}" was used for another request`, {
    layer: 'session',
    hint: 'give every new request an id of its own',
  });
}
