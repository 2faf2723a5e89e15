import { spawn } from 'node:child_process';
import { accessSync, constants, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { HOOK_SCHEMA, type HookFrame } from '@cortexfs/abi/frames/hook';
import { isJsonObject, type JsonValue, parseJson } from '@cortexfs/abi/json';
import { encodeFrame } from '@cortexfs/abi/jsonl';
import { isObjectName, type RunId, type SessionName } from '@cortexfs/abi/names';
import { hookDirectory } from '@cortexfs/abi/paths';
import { oneLine } from '@cortexfs/abi/terminal-text';
import type { Shell } from '../shell.ts';
import { belowRoot, controlsOf, type Tool } from '../tool/tool.ts';
import { toolEnvironment } from './environment.ts';

type Phase = HookFrame['phase'];

const TIMEOUT_MS = 10_000;

/**
 * The hooks of the tools that an agent's shell runs (docs/hooks.md). Which ones a tool has is seen once, before its first
 * use. A person's shell has none: it runs a tool as if the person had executed the file.
 */
export class ToolHooks {
  readonly #shell: Shell;
  readonly #known = new Map<string, Readonly<Record<Phase, readonly string[]>>>();

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  /** Runs a tool between its hooks. A failing `pre` hook is thrown: EACCES; a failing `post` hook is told. */
  async around(
    tool: Tool,
    args: readonly string[],
    run: () => Promise<number>,
    tell: (line: string) => void,
  ): Promise<number> {
    if (this.#shell.agent === undefined) return run();
    const { pre, post } = this.#of(tool);
    for (const hook of pre) await this.#run(hook, 'pre', tool, args);
    const code = await run();
    for (const hook of post) {
      await this.#run(hook, 'post', tool, args).catch((error: CortexError) =>
        tell(oneLine(`${error.path}: ${error.message}`)),
      );
    }
    return code;
  }

  #of(tool: Tool) {
    const controls = controlsOf(tool);
    const known = this.#known.get(controls);
    if (known !== undefined) return known;
    const read = {
      pre: executablesIn(hookDirectory(controls, 'pre')),
      post: executablesIn(hookDirectory(controls, 'post')),
    };
    this.#known.set(controls, read);
    return read;
  }

  async #run(hook: string, phase: Phase, tool: Tool, args: readonly string[]): Promise<void> {
    const { root, env, agent } = this.#shell;
    const frame: HookFrame = {
      abi: HOOK_SCHEMA,
      phase,
      object: `tool/${tool.object}`,
      agent: agent ?? null,
      session: (env['CTX_SESSION'] as SessionName | undefined) ?? null,
      run: (env['CTX_RUN_ID'] as RunId | undefined) ?? null,
      step: env['CTX_AGENT_STEP'] === undefined ? null : Number(env['CTX_AGENT_STEP']),
      input: inputOf(args),
    };
    const failure = await failureOf(hook, encodeFrame(frame), toolEnvironment(env, true));
    if (failure === undefined) return;
    const path = belowRoot(root, hook) ?? hook;
    throw new CortexError('EACCES', `the hook failed: ${failure}`, { path, layer: 'hook' });
  }
}

/** The one JSON object that a tool was given, else its words. */
function inputOf(args: readonly string[]): JsonValue {
  try {
    const value = args.length === 1 ? parseJson(args[0]!) : undefined;
    if (value !== undefined && isJsonObject(value)) return value;
  } catch {
    // A word that only looks like JSON is a word.
  }
  return [...args];
}

function executablesIn(directory: string): string[] {
  return namesIn(directory)
    .filter(isObjectName)
    .map((name) => join(directory, name))
    .filter(isExecutableFile);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** Why a hook failed; undefined when it did not. It and what it started have 10 s. */
function failureOf(hook: string, frame: Uint8Array, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(hook, [], { env, detached: true, stdio: ['pipe', 'ignore', 'pipe'] });
    let said = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      killGroup(child.pid);
    }, TIMEOUT_MS);
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-4096);
    });
    // A hook need not read what it is told.
    child.stdin.on('error', () => {});
    child.stdin.end(frame);
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve(fromNodeError(error).message);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      killGroup(child.pid);
      child.stderr.destroy();
      if (late) resolve(`it took longer than ${TIMEOUT_MS / 1000} s`);
      else
        resolve(code === 0 ? undefined : [ending(code, signal), lastLine(said)].filter(Boolean).join(': '));
    });
  });
}

function ending(code: number | null, signal: NodeJS.Signals | null): string {
  return code === null ? `it was ended by ${signal}` : `it exited with code ${code}`;
}

function lastLine(text: string): string {
  return oneLine(text.trimEnd().split('\n').at(-1) ?? '').slice(0, 500);
}

/** What it left running in its group goes with it. */
function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
}
