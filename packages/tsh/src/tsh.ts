import { isatty } from 'node:tty';
import type { Arguments } from './arguments.ts';
import { type HistoryLines, Leave, NO_HISTORY } from './builtin/builtin.ts';
import { runWords, type Surroundings } from './run/command-line.ts';
import { execute } from './run/execute.ts';
import { writeAll } from './run/write.ts';
import { Shell } from './shell.ts';

/** Runs what the command line asks for. Returns the exit code. */
export async function tsh(args: Arguments): Promise<number> {
  const options = args.root === undefined ? {} : { root: args.root };
  if (args.frames) {
    const { runInFrames } = await import('./run/frames.ts');
    return await runInFrames(() => new Shell(options), args.words);
  }
  const shell = new Shell(options);
  const around = (history: HistoryLines): Surroundings => ({
    shell,
    json: args.json,
    history,
    out: (text) => writeAll(1, Buffer.from(text)),
    err: (text) => writeAll(2, Buffer.from(text)),
    execute: (tool, words) => execute(shell, tool, words),
  });
  if (args.list) return await runWords(around(NO_HISTORY), ['tools']);
  if (args.words.length > 0) return await runOnce(around(NO_HISTORY), args.words);
  if (isatty(0) && isatty(1)) {
    const { runInteractive } = await import('./repl/interactive.ts');
    return await runInteractive(around);
  }
  const { runBatch } = await import('./repl/batch.ts');
  return await runBatch(around(NO_HISTORY));
}

async function runOnce(around: Surroundings, words: readonly string[]): Promise<number> {
  try {
    return await runWords(around, words);
  } catch (error) {
    if (error instanceof Leave) return error.code ?? 0;
    throw error;
  }
}
