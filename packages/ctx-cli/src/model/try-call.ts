import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CortexError, errorJson } from '@cortexfs/abi/errors';
import { FrameDecoder } from '@cortexfs/abi/jsonl';
import { type ModelFrame, messageText, parseModelFrame } from '@cortexfs/abi/model-io';
import { type ModelId, parseModelName } from '@cortexfs/abi/names';
import { modelExec } from '@cortexfs/abi/paths';
import { findPeerBin } from '@cortexfs/linux/peer-bin';
import type { Place } from '@cortexfs/linux/place';

/** What a model needs of the environment; keys are in no environment. */
const PASSED_ON = /^(HOME|XDG_(CONFIG|DATA)_HOME|XDG_RUNTIME_DIR|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i;

const QUESTION = { messages: [{ role: 'user', content: 'Answer with the one word: ready' }] };

/** Asks a model one short question, as executing it does. Returns its answer; throws its error. */
export async function tryCall({ store, root }: Place, model: ModelId): Promise<string> {
  const file = `${store}/${modelExec(parseModelName(model))}`;
  const passed = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  const child = spawn(process.execPath, [findPeerBin('cortexfs-object-runner'), file], {
    cwd: '/',
    env: { ...Object.fromEntries(passed), PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', CTX_ROOT: root },
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

/** How a call went, for `--json`. */
export async function triedAs(place: Place, model: ModelId) {
  try {
    return { model, ok: true, answer: await tryCall(place, model) } as const;
  } catch (error) {
    if (!(error instanceof CortexError)) throw error;
    return { model, ok: false, failure: error, ...errorJson(error) } as const;
  }
}
