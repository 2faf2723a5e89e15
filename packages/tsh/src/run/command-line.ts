import { describeError, fromNodeError } from '@cortexfs/abi/errors';
import { oneLine } from '@cortexfs/abi/terminal-text';
import { type Context, type HistoryLines, Leave, Misuse } from '../builtin/builtin.ts';
import { builtinOf } from '../builtin/table.ts';
import { NOT_FOUND, NotFound, type Shell } from '../shell.ts';
import type { Tool } from '../tool/tool.ts';
import type { ToolHooks } from './hooks.ts';

/** How a command meets the world. */
export interface Surroundings {
  shell: Shell;
  json: boolean;
  history: HistoryLines;
  out(text: string): void;
  err(text: string): void;
  /** Runs a tool that may be run. */
  execute(tool: Tool, args: readonly string[]): Promise<number>;
}

/** Runs one command: a builtin, else a tool. Returns its exit code; failures are told on `err`. Throws only Leave. */
export async function runWords(around: Surroundings, words: readonly string[]): Promise<number> {
  const [name, ...args] = words;
  if (name === undefined) return 0;
  try {
    const builtin = builtinOf(name);
    return builtin ? await builtin.run(contextOf(around), args) : await runTool(around, words);
  } catch (error) {
    return failed(around, name, error);
  }
}

async function runTool(around: Surroundings, [name, ...args]: readonly string[]): Promise<number> {
  const tool = around.shell.find(name!);
  const run = () => around.execute(tool, args);
  const code = await hooked(around, tool, args, run);
  await noteUse(around.shell, tool.name);
  return code;
}

/** Only an agent's shell has hooks to look for. */
async function hooked(
  { shell, err }: Surroundings,
  tool: Tool,
  args: readonly string[],
  run: () => Promise<number>,
): Promise<number> {
  if (shell.agent === undefined) return run();
  const { ToolHooks } = await import('./hooks.ts');
  const hooks = hooksOf.get(shell) ?? new ToolHooks(shell);
  hooksOf.set(shell, hooks);
  return hooks.around(tool, args, run, (line) => err(`tsh: ${line}\n`));
}

const hooksOf = new WeakMap<Shell, ToolHooks>();

/** Keeps the session's counters up to date; a context that cannot be written is no reason to fail. */
async function noteUse({ env, root }: Shell, name: string): Promise<void> {
  const { contextFile, readContext, writeContext } = await import('../context/file.ts');
  const { use } = await import('../context/cache.ts');
  const { loadedNames } = await import('@cortexfs/abi/session/tool-context');
  try {
    const path = contextFile(env);
    const tools = readContext(path);
    if (loadedNames(tools).length === 0) return;
    const { loadLimits } = await import('../context/limits.ts');
    await writeContext(path, use(tools, name, loadLimits(root)));
  } catch {
    // Only the order in which tools leave the context is at stake.
  }
}

function contextOf(around: Surroundings): Context {
  const { shell, json, history, out, err } = around;
  return { shell, json, history, out, err, runTool: (words) => runTool(around, words) };
}

function failed({ err }: Surroundings, name: string, error: unknown): number {
  if (error instanceof Leave) throw error;
  if (error instanceof Misuse) {
    const usage = builtinOf(name)?.usage ?? '';
    err(`tsh: ${name}: ${error.message}\nusage: ${`${name} ${usage}`.trimEnd()}\n`);
    return 2;
  }
  if (error instanceof NotFound) {
    err(`tsh: ${oneLine(error.message)}\n${error.nearest ? `hint: did you mean ${error.nearest}?\n` : ''}`);
    return NOT_FOUND;
  }
  const failure = fromNodeError(error, {});
  err(`tsh: ${describeError(failure)}\n${failure.hint ? `hint: ${oneLine(failure.hint)}\n` : ''}`);
  return failure.exitCode;
}
