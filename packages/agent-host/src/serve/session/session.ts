import type { SessionScope } from '@cortexfs/abi/frames/session-address';
import type { SessionName, SpaceName } from '@cortexfs/abi/names';
import type { SessionState } from '@cortexfs/abi/session/state';
import { EventLog } from './event-log.ts';
import { MessageLog } from './message-log.ts';
import type { RequestLedger } from './request-ledger.ts';
import type { SessionFiles } from './session-files.ts';
import { type SettledRun, settleUnfinished } from './settle.ts';
import type { TornTail } from './torn-tail.ts';

/** What opening a session had to repair. */
export interface SessionRepairs {
  readonly torn: readonly TornTail[];
  readonly settled: readonly SettledRun[];
}

/** One session on the disk, repaired and settled (docs/host.md). One process at a time has it open. */
export class Session {
  readonly name: SessionName;
  readonly scope: SessionScope;
  /** Of a shared session. */
  readonly space: SpaceName | undefined;
  readonly files: SessionFiles;
  readonly events: EventLog;
  readonly messages: MessageLog;
  readonly requests: RequestLedger;
  readonly repairs: SessionRepairs;

  private constructor(
    { name, scope, space }: Pick<Session, 'name' | 'scope' | 'space'>,
    files: SessionFiles,
    parts: SessionParts,
  ) {
    this.name = name;
    this.scope = scope;
    this.space = space;
    this.files = files;
    this.events = parts.events;
    this.messages = parts.messages;
    this.requests = parts.requests;
    this.repairs = parts.repairs;
  }

  /** Opens a session whose files exist. */
  static async open(
    name: SessionName,
    files: SessionFiles,
    scope: SessionScope = 'private',
    space?: SpaceName,
  ): Promise<Session> {
    return new Session({ name, scope, space }, files, await openParts(files));
  }

  /** Brings the small files to the end of a run, right before its `done` event. */
  async finish(state: SessionState, answer: string | undefined): Promise<void> {
    if (answer !== undefined)
      await this.files.write('latest', answer.endsWith('\n') ? answer : `${answer}\n`);
    await this.requests.sync();
    await this.files.write('updatedAt', `${new Date().toISOString()}\n`);
    await this.files.setState(state);
  }

  close(): void {
    this.events.close();
    this.messages.close();
    this.requests.close();
  }
}

interface SessionParts {
  readonly events: EventLog;
  readonly messages: MessageLog;
  readonly requests: RequestLedger;
  readonly repairs: SessionRepairs;
}

async function openParts(files: SessionFiles): Promise<SessionParts> {
  const messages = MessageLog.on(files.openLog('messages'));
  const events = EventLog.on(files.openLog('events'));
  const torn = [messages.torn, events.torn].filter((tail) => tail !== undefined);
  const settled = await settleUnfinished(events, messages);
  const crashed = files.state() === 'active';
  const whole = !crashed && torn.length === 0 && settled.length === 0;
  const requests = files.openLedger(events, whole);
  if (!whole) await files.setState(lastOutcome(events));
  return { events, messages, requests, repairs: { torn, settled } };
}

/** The state that the events tell: how the last run ended. */
function lastOutcome(events: EventLog): SessionState {
  for (const { type, status } of events.backward()) {
    if (type === 'done') return status === 'ok' ? 'done' : status === 'cancelled' ? 'cancelled' : 'error';
  }
  return 'idle';
}
