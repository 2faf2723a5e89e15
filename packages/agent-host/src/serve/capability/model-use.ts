import { CortexError } from '@cortexfs/abi/errors';
import type { ModelUseRequest } from '@cortexfs/abi/frames/capability';
import { FrameDecoder } from '@cortexfs/abi/jsonl';
import { type ModelFrame, type ModelTool, parseModelFrame } from '@cortexfs/abi/model-io';
import type { RunId } from '@cortexfs/abi/names';
import { binary, modelExec } from '@cortexfs/abi/paths';
import { modelLimit, requireModelUse, resolveModel } from '../authority/model-use.ts';
import { currentDefinition, type HostContext } from '../host-context.ts';
import { effectiveWindow } from '../prompt/window.ts';
import { startModel } from './model-process.ts';
import { offeredTools } from './tools.ts';

export interface ModelUse {
  readonly host: HostContext;
  readonly run: RunId;
  readonly owner: number;
  readonly request: ModelUseRequest;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly send: (frame: ModelFrame) => Promise<unknown>;
}

/**
 * `model.use`: checks the agent's right and its window as they are now, runs the model, and hands its frames on until
 * `done` or until nobody waits. Throws what kept the model from being run or from ending its answer.
 */
export async function useModel(use: ModelUse): Promise<void> {
  const { host, owner, request } = use;
  const { store, root } = host.site;
  const definition = currentDefinition(host);
  const model = resolveModel(store, owner, request.model ?? definition.model);
  requireModelUse(store, definition, model, owner);
  const window = effectiveWindow(definition.window, modelLimit(root, model.name), model.id);
  const messages = JSON.stringify(request.messages);
  requireFit(Buffer.byteLength(messages), window.inputChars);
  const tools = mergeTools(offeredTools(store, definition.tools), request.tools ?? []);
  const input = `{"messages":${messages},"tools":${JSON.stringify(tools)}}`;
  await relay(
    use,
    startModel(
      `${store}/${binary('cortexfs-object-runner')}`,
      `${root}/${modelExec(model.name)}`,
      root,
      use.run,
      input,
    ),
  );
}

async function relay({ signal, send }: ModelUse, model: ReturnType<typeof startModel>): Promise<void> {
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
        await send(parsed);
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
