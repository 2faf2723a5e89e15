import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { HOOK_SCHEMA, type HookFrame } from '@cortexfs/abi/frames/hook';
import { encodeFrame } from '@cortexfs/abi/jsonl';
import { SANDBOX } from '@cortexfs/abi/paths';
import { oneLine } from '@cortexfs/abi/terminal-text';
import type { BeforeRelease, SandboxedProcess } from '../../sandbox/spec.ts';
import type { Launch } from '../run/launch.ts';
import type { ObjectHooks } from './hook-set.ts';

/** How long one hook may take. */
export const HOOK_TIMEOUT_MS = 10_000;
const KEPT_BYTES = 4096;

/** What is about to happen, or has happened. */
export type HookedOperation = Omit<HookFrame, 'abi' | 'phase'>;

/** Where hooks run: in the agent's sandbox, with the environment of the object. */
export interface HookPlace {
  readonly launch: Launch;
  readonly register: BeforeRelease;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Runs the hooks before an operation, one after the other. The first that fails refuses it: EACCES, the hook named. */
export async function runPreHooks({ pre }: ObjectHooks, operation: HookedOperation, place: HookPlace) {
  for (const hook of pre) await runHook(hook, { abi: HOOK_SCHEMA, phase: 'pre', ...operation }, place);
}

/** Runs those after it. One that fails undoes nothing and keeps none of the others from running: the log tells. */
export async function runPostHooks({ post }: ObjectHooks, operation: HookedOperation, place: HookPlace) {
  for (const hook of post) {
    try {
      await runHook(hook, { abi: HOOK_SCHEMA, phase: 'post', ...operation }, place);
    } catch (error) {
      if (place.signal.aborted) return;
      place.log(oneLine(`${hook}: ${(error as Error).message}`));
    }
  }
}

async function runHook(hook: string, frame: HookFrame, place: HookPlace): Promise<void> {
  const { launch, register, env, cwd, signal } = place;
  signal.throwIfAborted();
  try {
    const argv = [`${SANDBOX.root}/${hook}`] as const;
    const failure = await failureOf(await launch({ argv, env, cwd }, register), frame, signal);
    if (failure !== undefined) throw new CortexError('EACCES', failure);
  } catch (error) {
    signal.throwIfAborted();
    const { message } = fromNodeError(error);
    throw new CortexError('EACCES', `the hook failed: ${message}`, { path: hook, layer: 'hook' });
  }
}

/** Why a hook failed; undefined when it did not. */
async function failureOf(
  hook: SandboxedProcess,
  frame: HookFrame,
  signal: AbortSignal,
): Promise<string | undefined> {
  const said = lastLine(hook);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void hook.terminate();
  }, HOOK_TIMEOUT_MS);
  const cancel = () => void hook.terminate();
  signal.addEventListener('abort', cancel);
  // A hook need not read what it is told.
  hook.stdin?.on('error', () => {});
  hook.stdin?.end(encodeFrame(frame));
  const { code, signal: ended } = await hook.exited;
  clearTimeout(timer);
  signal.removeEventListener('abort', cancel);
  if (late) return `it took longer than ${HOOK_TIMEOUT_MS / 1000} s`;
  if (code === 0) return undefined;
  const how = code === null ? `it was ended by ${ended}` : `it exited with code ${code}`;
  return said() === '' ? how : `${how}: ${said()}`;
}

/** The end of what a hook says, on either output; more is read and dropped. */
function lastLine({ stdout, stderr }: SandboxedProcess): () => string {
  let kept = '';
  for (const stream of [stdout, stderr])
    stream?.on('data', (chunk: Buffer) => {
      kept = (kept + chunk.toString('utf8')).slice(-KEPT_BYTES);
    });
  stderr?.resume();
  return () => oneLine(kept.trimEnd().split('\n').at(-1) ?? '').slice(0, 500);
}
