import type { ErrorFields } from '@cortexfs/abi/frames/error-fields';
import type { RunId } from '@cortexfs/abi/names';
import type { EventLog } from './event-log.ts';
import type { MessageLog } from './message-log.ts';
import type { StoredEvent } from './stored-event.ts';
import type { MessageBody } from './stored-message.ts';

/** How a run that a crash cut off was brought to its end. */
export interface SettledRun {
  readonly run: RunId;
  readonly status: 'ok' | 'error';
}

const HOST_ENDED: ErrorFields = {
  code: 'EHOSTDOWN',
  message: 'the agent host ended while this run was active',
};

/**
 * Gives the run that a crash interrupted exactly one outcome and one `done` (docs/host.md, "Repair").
 * What had been decided stays: a recorded answer ends `ok`, a recorded error ends `error`; everything else ends with
 * `why`. A user message that was stored but never announced gets its start, so that the history is whole.
 */
export async function settleUnfinished(
  events: EventLog,
  messages: MessageLog,
  why: ErrorFields = HOST_ENDED,
): Promise<SettledRun[]> {
  const settled: SettledRun[] = [];
  const last = lastRunEvent(events);
  const unannounced = unannouncedRun(events, messages, last);
  if (last?.run !== undefined && last.type !== 'done') {
    settled.push(await settle(last.run, last, events, messages, why));
  }
  if (unannounced !== undefined) {
    events.append({ type: 'start', run: unannounced });
    settled.push(await settle(unannounced, undefined, events, messages, why));
  }
  await events.sync();
  return settled;
}

async function settle(
  run: RunId,
  decided: StoredEvent | undefined,
  events: EventLog,
  messages: MessageLog,
  why: ErrorFields,
): Promise<SettledRun> {
  const answered = decided?.type === 'message';
  if (answered) {
    if (!hasAnswer(messages, run)) messages.append(answerOf(run, decided));
    await messages.sync();
  } else if (decided?.type !== 'error') {
    events.append({ type: 'error', run, ...why });
  }
  const status = answered ? 'ok' : 'error';
  events.append({ type: 'done', run, status });
  return { run, status };
}

function lastRunEvent(events: EventLog): StoredEvent | undefined {
  for (const event of events.backward()) if (event.run !== undefined) return event;
  return undefined;
}

/** The run of the newest user message when no event of it exists: the crash came between the two writes. */
function unannouncedRun(
  events: EventLog,
  messages: MessageLog,
  last: StoredEvent | undefined,
): RunId | undefined {
  const [newest, before] = lastUserRuns(messages);
  if (newest === undefined || newest === last?.run) return undefined;
  for (const { run } of events.headsBackward()) {
    if (run === newest) return undefined;
    // Events come in the order of the messages: further back there is only what is older.
    if (run !== undefined && run === before) return newest;
  }
  return newest;
}

function lastUserRuns(messages: MessageLog): RunId[] {
  const runs: RunId[] = [];
  for (const message of messages.backward()) {
    if (message.role === 'user' && runs.push(message.run) === 2) break;
  }
  return runs;
}

function hasAnswer(messages: MessageLog, run: string): boolean {
  for (const message of messages.backward()) {
    if (message.run !== run) return false;
    if (message.role === 'assistant') return true;
  }
  return false;
}

function answerOf(run: RunId, event: StoredEvent): MessageBody {
  return { role: 'assistant', run, content: event['content'] as MessageBody['content'] };
}
