import { MAX_CONTROL_BYTES } from '@cortexfs/abi/controls/codec';
import { fallback } from '@cortexfs/abi/controls/model/fallback';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import type { ModelUseRequest } from '@cortexfs/abi/frames/capability';
import { FrameDecoder } from '@cortexfs/abi/jsonl';
import { type ModelFrame, type ModelTool, parseModelFrame } from '@cortexfs/abi/model-io';
import { type ModelId, type ModelName, parseModelName, type RunId } from '@cortexfs/abi/names';
import { binary, modelControl, modelExec } from '@cortexfs/abi/paths';
import type { AgentDefinition } from '../../definition/definition.ts';
import { modelLimit, type ResolvedModel, requireModelUse, resolveModel } from '../authority/model-use.ts';
import { readBeneath } from '../beneath.ts';
import { currentDefinition, type HostContext } from '../host-context.ts';
import { effectiveWindow } from '../prompt/window.ts';
import type { CallFrame, CallQueue } from './call-queue.ts';
import { startModel } from './model-process.ts';
import { offeredTools } from './tools.ts';

export interface ModelUse {
  readonly host: HostContext;
  readonly run: RunId;
  readonly owner: number;
  readonly request: ModelUseRequest;
  /** The run's calls that wait for their turn. */
  readonly calls: CallQueue;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly send: (frame: ModelFrame) => Promise<unknown>;
  /** Told of every candidate that did not answer while another one was tried after it. */
  readonly passedOver: (model: ModelId, why: CortexError) => Promise<void>;
}

/**
 * `model.use`: checks the agent's right and its window as they are now, runs the model, and hands its frames on until
 * `done` or until nobody waits. A model that fails before its first word is followed by those of its `fallback` control,
 * each checked anew. Throws what kept the first one from answering when none of them does.
 */
export async function useModel(use: ModelUse): Promise<void> {
  const waiting = use.calls.next(use.request);
  if (waiting !== undefined) return await answerWith(use, waiting);
  const { store } = use.host.site;
  const definition = currentDefinition(use.host);
  const first = resolveModel(store, use.owner, use.request.model ?? definition.model);
  const failure = await attempt(use, definition, first);
  if (failure === undefined) return;
  if (failure instanceof Refused) throw failure.reason;
  let before = { model: first.id, why: failure };
  for (const id of fallbackOf(store, first.name)) {
    await use.passedOver(before.model, before.why);
    use.signal.throwIfAborted();
    const next = await attempt(use, definition, { name: parseModelName(id), id, aliases: [] });
    if (next === undefined) return;
    before = { model: id, why: next instanceof Refused ? next.reason : next };
  }
  if (before.model !== first.id) await use.passedOver(before.model, before.why);
  throw failure;
}

/** What the model has said already is not asked for again. */
async function answerWith({ run, send }: ModelUse, { call, model }: { call: CallFrame; model: ModelId }) {
  await send({ type: 'start', run, model });
  await send(call);
  await send({ type: 'done', run, status: 'ok' });
}

/** A candidate that may not be tried, as the decision or the window says. */
class Refused {
  readonly reason: CortexError;

  constructor(reason: CortexError) {
    this.reason = reason;
  }
}

/** Runs one candidate to its end; why it did not answer at all, when it did not. */
async function attempt(
  use: ModelUse,
  definition: AgentDefinition,
  model: ResolvedModel,
): Promise<CortexError | Refused | undefined> {
  const { store, root } = use.host.site;
  let input: string;
  try {
    requireModelUse(store, definition, model, use.owner);
    const window = effectiveWindow(definition.window, modelLimit(root, model.name), model.id);
    input = inputFor(use, definition, window.inputChars);
  } catch (error) {
    return new Refused(fromNodeError(error, { layer: 'model' }));
  }
  const runner = `${store}/${binary('cortexfs-object-runner')}`;
  const frames = new HeldBeginning(use, model.id);
  try {
    await relay(
      use.signal,
      startModel(runner, `${root}/${modelExec(model.name)}`, root, use.run, input),
      (frame) => frames.take(frame),
    );
    return undefined;
  } catch (error) {
    if (frames.begun || use.signal.aborted) throw error;
    return fromNodeError(error, { layer: 'model' });
  }
}

function inputFor(
  { host, request }: ModelUse,
  definition: AgentDefinition,
  limit: number | undefined,
): string {
  const messages = JSON.stringify(request.messages);
  requireFit(Buffer.byteLength(messages), limit);
  const tools = mergeTools(offeredTools(host.site.store, definition.tools), request.tools ?? []);
  return `{"messages":${messages},"tools":${JSON.stringify(tools)}}`;
}

/**
 * Keeps what a model says before its first word: until then another one may still take its place. And its calls until it is done:
 * the first of them ends the step.
 */
class HeldBeginning {
  begun = false;
  readonly #use: ModelUse;
  readonly #model: ModelId;
  readonly #held: ModelFrame[] = [];
  readonly #calls: CallFrame[] = [];

  constructor(use: ModelUse, model: ModelId) {
    this.#use = use;
    this.#model = model;
  }

  async take(frame: ModelFrame): Promise<void> {
    if (!this.begun && frame.type === 'error')
      throw new CortexError(frame.code, frame.message, { layer: 'model', hint: frame.hint });
    if (frame.type === 'tool_call') this.#calls.push(frame);
    else if (frame.type === 'done') this.#held.push(...this.#firstCall(frame.status), frame);
    else this.#held.push(frame);
    if (frame.type === 'start' || frame.type === 'usage') return;
    this.begun = true;
    for (const next of this.#held.splice(0)) await this.#use.send(next);
  }

  #firstCall(status: 'ok' | 'error' | 'cancelled'): CallFrame[] {
    const { calls, request } = this.#use;
    const first = calls.first(status === 'ok' ? this.#calls : [], request, this.#model);
    return first === undefined ? [] : [first];
  }
}

/** The models of a model's `fallback` control, in order. */
function fallbackOf(store: string, model: ModelName): readonly ModelId[] {
  const text = readBeneath(store, modelControl(model, 'fallback'), MAX_CONTROL_BYTES);
  return text === undefined ? [] : fallback.parse(text);
}

async function relay(
  signal: AbortSignal,
  model: ReturnType<typeof startModel>,
  take: (frame: ModelFrame) => Promise<unknown>,
): Promise<void> {
  const decoder = new FrameDecoder();
  const stop = () => void model.end();
  signal.addEventListener('abort', stop);
  let done = false;
  let failure: NodeJS.ErrnoException | undefined;
  model.child.once('error', (error) => {
    failure = error;
  });
  model.child.stderr!.resume();
  try {
    signal.throwIfAborted();
    for await (const chunk of model.child.stdout!) {
      for (const frame of decoder.push(chunk as Buffer)) {
        if (!frame.ok) throw broken(frame.error.message);
        if (done) throw broken('a frame after done');
        const parsed = parseModelFrame(frame.value);
        done = parsed.type === 'done';
        await take(parsed);
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await model.end();
  }
  if (failure !== undefined)
    throw new CortexError('EHOSTDOWN', `the object runner cannot be started: ${failure.code}`, {
      layer: 'model',
    });
  // Ended because nobody waits any more, as after an error frame: what it said stands.
  if (!done && !signal.aborted) throw broken('it ended without a done frame');
}

/** The host's own descriptions win: they say what a call really does. */
function mergeTools(own: readonly ModelTool[], asked: readonly ModelTool[]): ModelTool[] {
  const names = new Set(own.map((tool) => tool.name));
  return [...own, ...asked.filter((tool) => !names.has(tool.name))];
}

function requireFit(bytes: number, limit: number | undefined): void {
  if (limit === undefined || bytes <= limit) return;
  throw new CortexError(
    'EMSGSIZE',
    `the messages are ${bytes - limit} bytes longer than the context window allows`,
    { layer: 'window' },
  );
}

function broken(why: string): CortexError {
  return new CortexError('EPROTO', `invalid output of the model: ${why}`, { layer: 'model' });
}
