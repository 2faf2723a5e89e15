import { CortexError } from '@cortexfs/abi/errors';
import type { DirectReply } from '@cortexfs/abi/frames/agent-reply';
import type {
  CancelRequest,
  ResumeRequest,
  SendRequest,
  StatusRequest,
  TshRequest,
} from '@cortexfs/abi/frames/agent-request';
import { seqOf } from '@cortexfs/abi/frames/event-id';
import { MAX_CONTEXT_BYTES } from '@cortexfs/abi/invocation';
import type { RequestId, RunId } from '@cortexfs/abi/names';
import { requireSession } from '../authority/session.ts';
import { currentDefinition, type HostContext } from '../host-context.ts';
import type { Run, RunTask } from '../run/run.ts';
import { runEvents, storedEvents } from '../session/event-stream.ts';
import { payloadDigest } from '../session/request-ledger.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Connection, RequestHandler } from '../socket/connection.ts';
import { placeOfWork } from './place-of-work.ts';
import type { RunningSessions } from './running-sessions.ts';

export interface OperationsContext {
  readonly host: HostContext;
  readonly sessions: Sessions;
  readonly running: RunningSessions;
  /** Begins the end of the host. */
  readonly stop: () => void;
}

/** What each operation of the agent's socket does (docs/host.md, "Operations"). */
export function operations(context: OperationsContext): RequestHandler {
  return async (request, _frame, connection) => {
    switch (request.op) {
      case 'ping':
        return reply(connection, { type: 'pong' });
      case 'send':
        return runRequest(request, { op: 'send', input: request.input }, context, connection);
      case 'tsh':
        return runRequest(request, { op: 'tsh', args: request.args }, context, connection);
      case 'resume':
        return resume(request, context, connection);
      case 'cancel':
        return cancel(request, context, connection);
      case 'approve':
        context.host.approvals.answer(request, connection);
        return reply(connection, { type: 'ok', op: 'approve' });
      case 'status':
        return status(request, context, connection);
      case 'stop':
        await reply(connection, { type: 'ok', op: 'stop' });
        return context.stop();
    }
  };
}

/** Answers with the events of the request's run, also when it ran before. */
async function runRequest(
  request: SendRequest | TshRequest,
  task: RunTask,
  context: OperationsContext,
  connection: Connection,
) {
  const { host, sessions, running } = context;
  requireShort(task);
  const definition = currentDefinition(host);
  requireSession(host.site.store, definition, request, 'write');
  const cwd = placeOfWork(host, definition, request.op === 'send' ? request.cwd : undefined);
  const session = await sessions.openOrCreate(request, cwd, connection.closed);
  const runs = running.of(session);
  const { id: requestId, ...payload } = request;
  const order = {
    requestId,
    sha256: payloadDigest(payload),
    task,
    cwd,
    asker: connection,
  };
  connection.background(async () => {
    // Asked for before anything is awaited: requests keep the order in which they came.
    const started = runs.submit(order);
    await sessions.touch(session, cwd);
    const { run, seq, live } = await started;
    await follow(session, run, session.events.offsetAfter(seq - 1), live, connection);
  }, requestId);
}

/** Sends a run's events up to its `done`; throws what broke the run off. */
async function follow(
  session: Session,
  run: RunId,
  start: number,
  live: Run | undefined,
  connection: Connection,
): Promise<void> {
  const { closed } = connection;
  const signal = live === undefined ? closed : AbortSignal.any([closed, live.broken]);
  for await (const lines of runEvents(session.events, run, start, signal)) {
    if (!(await connection.send(lines))) return;
  }
  live?.broken.throwIfAborted();
}

/** Stored events after an id, `resumed`, then what an active run still adds. */
async function resume(
  { after, ...address }: ResumeRequest,
  { host, sessions, running }: OperationsContext,
  connection: Connection,
) {
  requireSession(host.site.store, currentDefinition(host), address, 'resume');
  const session = await sessions.open(address, connection.closed);
  const { events } = session;
  const seq = after === undefined ? 0 : seqOf(after);
  if (seq > events.seq) {
    throw new CortexError('ENOENT', `there is no event ${after}; the last is ${events.lastId ?? 'none'}`, {
      layer: 'session',
    });
  }
  connection.background(async () => {
    // One moment for all three: what is stored by then comes first, the rest of the run after it.
    const active = running.of(session).active;
    const end = events.log.size;
    const last = events.lastId;
    for (const lines of storedEvents(events, events.offsetAfter(seq), end)) {
      if (!(await connection.send(lines))) return;
    }
    await reply(connection, { type: 'resumed', last });
    if (active !== undefined) await follow(session, active.id, end, active, connection);
  });
}

async function cancel(request: CancelRequest, { running }: OperationsContext, connection: Connection) {
  const { id } = request;
  const found = running.all().some((runs) => isMeant(request, runs.session) && runs.cancel(id));
  if (!found)
    throw new CortexError('ENOENT', `no run or request "${id}" is active or waits`, { layer: 'session' });
  await reply(connection, { type: 'ok', op: 'cancel', id: id as RequestId });
}

/** Without a session every one is meant. */
function isMeant({ session, scope = 'private', space }: CancelRequest, { name, ...own }: Session): boolean {
  return session === undefined || (session === name && scope === own.scope && space === own.space);
}

async function status(
  request: StatusRequest,
  { host, sessions, running }: OperationsContext,
  connection: Connection,
) {
  requireSession(host.site.store, currentDefinition(host), request, 'read');
  const session = await sessions.open(request);
  const active = running.of(session).active;
  await reply(connection, {
    type: 'status',
    session: session.name,
    state: active === undefined ? session.files.state() : 'active',
    run: active?.id ?? null,
    step: active?.step ?? null,
    model: active?.model ?? null,
    last: session.events.lastId,
  });
}

async function reply(connection: Connection, frame: DirectReply): Promise<void> {
  await connection.reply(frame);
}

function requireShort(task: RunTask): void {
  const bytes = task.op === 'send' ? Buffer.byteLength(task.input) : 0;
  if (bytes <= MAX_CONTEXT_BYTES) return;
  throw new CortexError(
    'EMSGSIZE',
    `the input has ${bytes} bytes; at most ${MAX_CONTEXT_BYTES} go to an agent`,
    { layer: 'session' },
  );
}
