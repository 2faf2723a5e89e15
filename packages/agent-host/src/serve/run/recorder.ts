import type { ErrnoName } from '@cortexfs/abi/errno';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { errorFields } from '@cortexfs/abi/frames/error-fields';
import type { RunEventBody } from '@cortexfs/abi/frames/event';
import type { Observation } from '@cortexfs/abi/invocation';
import { MAX_FRAME_BYTES } from '@cortexfs/abi/jsonl';
import type { RunId } from '@cortexfs/abi/names';
import type { CapabilityEvent } from '../capability/capability.ts';
import type { RecordedRequest } from '../session/request-ledger.ts';
import type { Session } from '../session/session.ts';
import type { ToolCall } from './agent-output.ts';
import { DeltaCoalescer, type DeltaType } from './coalesce.ts';
import type { Run } from './run.ts';

type Body = RunEventBody extends infer Event
  ? Event extends { run: RunId }
    ? Omit<Event, 'run'>
    : never
  : never;

/** Room that the keys around an answer need in its frame. */
const ANSWER_OVERHEAD = 1024;

/** Longest message of an error event; a model may report its own at any length. */
const MAX_REASON = 4096;

/** Writes one run into its session, in the order that repair relies on (docs/host.md, "A run on the disk"). */
export class RunRecorder {
  readonly #session: Session;
  readonly #run: Run;
  readonly #deltas: DeltaCoalescer;
  /** Text could not be stored: the run cannot go on, and says why. */
  #broken: { readonly error: unknown } | undefined;
  /** Its answer or error is stored: there is never a second one. */
  #decided = false;

  constructor(session: Session, run: Run) {
    this.#session = session;
    this.#run = run;
    this.#deltas = new DeltaCoalescer((type, text) => this.#appendDelta(type, text));
  }

  /** Stores the user's message, then announces the run: whoever sees the start can rely on both. */
  async begin(): Promise<RecordedRequest> {
    const { messages, events, requests, files } = this.#session;
    const { id: run, order, model } = this.#run;
    await files.setState('active');
    await files.writeChanged('cwd', `${order.cwd}\n`);
    if (order.task.op === 'send') {
      messages.append({ role: 'user', run, content: [{ type: 'text', text: order.task.input }] });
      await messages.sync();
    }
    const { requestId, sha256 } = order;
    const named = model === undefined ? {} : { model };
    const { seq } = this.#append({ type: 'start', ...named, request_id: requestId, request_sha256: sha256 });
    const recorded = { run, seq, sha256 };
    requests.record(requestId, recorded);
    await events.sync();
    return recorded;
  }

  delta(type: DeltaType, text: string): void {
    if (!this.#run.signal.aborted) this.#deltas.push(type, text);
  }

  event(body: Body): void {
    this.#deltas.flush();
    if (this.#broken !== undefined && body.type !== 'error') throw this.#broken.error;
    this.#append(body);
  }

  /** What happened over the run's capability socket. Throws when the run was cancelled: nothing is recorded after that. */
  async asked(body: CapabilityEvent): Promise<void> {
    this.#run.signal.throwIfAborted();
    this.event(body);
    await this.#session.events.sync();
  }

  /** On the disk before the tool starts: a crash must not hide that it ran. */
  async call({ id, name, arguments: args }: ToolCall): Promise<void> {
    this.event({ type: 'tool_call', tool_call_id: id, name, arguments: args });
    await this.#session.events.sync();
  }

  async result(
    observation: Observation,
    code: ErrnoName | undefined,
    args: ToolCall['arguments'],
  ): Promise<void> {
    this.event({ type: 'tool_result', ...observation, ...(code === undefined ? {} : { code }) });
    const { truncated: _, ...part } = observation;
    if (this.#run.order.task.op === 'send') {
      const content = [{ type: 'tool_result', ...part, arguments: args }] as const;
      this.#session.messages.append({ role: 'tool', run: this.#run.id, content });
    }
    await this.#sync();
  }

  /** The run's only answer. */
  async answer(text: string): Promise<void> {
    const content = [{ type: 'text', text: fitAnswer(text) }] as const;
    this.event({ type: 'message', role: 'assistant', content: [...content] });
    this.#decided = true;
    this.#session.messages.append({ role: 'assistant', run: this.#run.id, content });
    await this.#sync();
    await this.#end('ok', 'done', content[0].text);
  }

  /** The run ends well without an answer of a model. */
  async complete(): Promise<void> {
    await this.#end('ok', 'done');
  }

  /** Throws the error again when an answer is stored already: what is missing after it is brought to its end later. */
  async fail(error: unknown): Promise<void> {
    if (this.#decided) throw error;
    const fields = errorFields(fromNodeError(error, { layer: 'agent' }));
    this.event({ type: 'error', ...fields, message: fields.message.slice(0, MAX_REASON) });
    await this.#end('error', 'error');
  }

  async cancelled(): Promise<void> {
    if (this.#broken !== undefined) return this.fail(this.#broken.error);
    this.#deltas.discard();
    await this.#end('cancelled', 'cancelled');
  }

  async #end(
    status: 'ok' | 'error' | 'cancelled',
    state: 'done' | 'error' | 'cancelled',
    answer?: string,
  ): Promise<void> {
    this.#deltas.flush();
    // Before `done`: who has seen it finds the files as they are to be.
    await this.#session.finish(state, answer);
    this.#append({ type: 'done', status });
    this.#run.ended = true;
    await this.#session.events.sync();
  }

  /** Also called by a timer, where nobody would catch: the run is told to end. */
  #appendDelta(type: DeltaType, text: string): void {
    if (this.#broken !== undefined) return;
    try {
      this.#append({ type, text });
    } catch (error) {
      this.#broken = { error };
      this.#run.cancel();
    }
  }

  #append(body: Body) {
    return this.#session.events.append({ ...body, run: this.#run.id } as RunEventBody);
  }

  async #sync(): Promise<void> {
    await Promise.all([this.#session.messages.sync(), this.#session.events.sync()]);
  }
}

/** An answer longer than a frame is cut; its deltas hold all of it. */
export function fitAnswer(text: string): string {
  const room = MAX_FRAME_BYTES - ANSWER_OVERHEAD;
  let fitting = text;
  for (let bytes = jsonSize(text); bytes > room; bytes = jsonSize(fitting)) {
    fitting = fitting.slice(0, Math.floor((fitting.length * room) / bytes) - 1);
    if (/[\ud800-\udbff]$/.test(fitting)) fitting = fitting.slice(0, -1);
  }
  return fitting;
}

function jsonSize(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** Whether a run ended because it was told to. */
export function isCancellation(error: unknown, signal: AbortSignal): boolean {
  return (
    signal.aborted &&
    (error === signal.reason || (error instanceof CortexError && error.code === 'ECANCELED'))
  );
}
