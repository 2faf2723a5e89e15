import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CortexError, errorJson } from '@cortexfs/abi/errors';
import { FrameDecoder } from '@cortexfs/abi/jsonl';
import { modelEnvironment } from '@cortexfs/abi/model-environment';
import { type ModelFrame, messageText, parseModelFrame } from '@cortexfs/abi/model-io';
import { type ModelId, parseModelName } from '@cortexfs/abi/names';
import { modelExec } from '@cortexfs/abi/paths';
import { findPeerBin } from '@cortexfs/linux/peer-bin';
import type { Place } from '@cortexfs/linux/place';

const QUESTION = { messages: [{ role: 'user', content: 'Answer with the one word: ready' }] };

/** Asks a model one short question, as executing it does. Returns its answer; throws its error. */
async function tryCall({ store, root }: Place, model: ModelId): Promise<string> {
  const file = `${store}/${modelExec(parseModelName(model))}`;
  const child = spawn(process.execPath, [findPeerBin('cortexfs-object-runner'), file], {
    cwd: '/',
    env: modelEnvironment(process.env, { CTX_ROOT: root }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(QUESTION));
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(-2000);
  });
  const closed = once(child, 'close');
  const frames = await framesOf(child.stdout);
  await closed;
  return answerIn(frames, model, complaint);
}

async function framesOf(stream: AsyncIterable<unknown>): Promise<ModelFrame[]> {
  const decoder = new FrameDecoder();
  const frames: ModelFrame[] = [];
  for await (const chunk of stream)
    for (const frame of decoder.push(chunk as Buffer))
      if (frame.ok) frames.push(parseModelFrame(frame.value));
  return frames;
}

function answerIn(frames: readonly ModelFrame[], model: ModelId, complaint: string): string {
  const path = modelExec(parseModelName(model));
  const error = frames.find((frame) => frame.type === 'error');
  if (error !== undefined)
    throw new CortexError(error.code, error.message, { path, layer: 'model', hint: error.hint });
  if (frames.at(-1)?.type !== 'done')
    throw new CortexError('EPROTO', `it did not answer: ${complaint.trim() || 'no output'}`, {
      path,
      layer: 'model',
    });
  const said = frames.find((frame) => frame.type === 'message');
  return said === undefined ? '' : messageText({ role: 'assistant', content: said.content });
}

export type Tried =
  | { readonly model: ModelId; readonly ok: true; readonly answer: string }
  | { readonly model: ModelId; readonly ok: false; readonly failure: CortexError };

/** The same, with a failure as an outcome. */
export async function triedAs(place: Place, model: ModelId): Promise<Tried> {
  try {
    return { model, ok: true, answer: await tryCall(place, model) };
  } catch (error) {
    if (!(error instanceof CortexError)) throw error;
    return { model, ok: false, failure: error };
  }
}

/** How a call went, for `--json`. */
export function triedJson(tried: Tried) {
  return tried.ok ? tried : { model: tried.model, ok: false, ...errorJson(tried.failure) };
}
