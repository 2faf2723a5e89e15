import { type CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { errorFields } from '@cortexfs/abi/frames/error-fields';
import { encodeFrame } from '@cortexfs/abi/jsonl';
import { parseRunId, type RunId } from '@cortexfs/abi/names';
import { newRunId } from '@cortexfs/abi/run-id';
import { Leave, NO_HISTORY } from '../builtin/builtin.ts';
import type { Shell } from '../shell.ts';
import { execute } from './capture.ts';
import { runWords } from './command-line.ts';
import { failureOf } from './failure.ts';
import { wordsFromInput } from './input.ts';
import { writeAll } from './write.ts';

/** A text that is longer, in UTF-16 units, is written as deltas of this length. */
const PIECE = 128 * 1024;

/** What a command wrote to standard output and standard error. */
interface Said {
  output: string;
  complaints: string;
}

/**
 * Runs one command as the tool object `tsh`: `start`, then `message` (or `delta`s when it is long) with the output,
 * `error` when it failed, and `done`. Returns the command's exit code.
 */
export async function runInFrames(
  makeShell: () => Shell,
  words: readonly string[],
  env = process.env,
): Promise<number> {
  const run = currentRun(env);
  write({ type: 'start', run });
  const said = { output: '', complaints: '' };
  try {
    const code = await runGathering(makeShell(), words.length > 0 ? words : wordsFromInput(), said);
    return finish(run, said.output, code === 0 ? undefined : failureOf(code, said.complaints), code);
  } catch (thrown) {
    if (thrown instanceof Leave) return finish(run, said.output, undefined, thrown.code ?? 0);
    const error = fromNodeError(thrown, { layer: 'tool' });
    return finish(run, said.output, error, error.exitCode);
  }
}

/** Runs the command; what it and its tool say is added to `said`. An error frame of the tool is thrown. */
async function runGathering(shell: Shell, words: readonly string[], said: Said): Promise<number> {
  let reported: CortexError | undefined;
  const code = await runWords(
    {
      shell,
      json: false,
      history: NO_HISTORY,
      out: (text) => {
        said.output += text;
      },
      err: (text) => {
        said.complaints += text;
      },
      execute: async (tool, args) => {
        const result = await execute(shell, tool, args);
        said.output += result.output;
        said.complaints += result.complaints;
        reported = result.error;
        return result.code;
      },
    },
    words,
  );
  if (reported) throw reported;
  return code;
}

function finish(run: RunId, output: string, error: CortexError | undefined, code: number): number {
  if (output.length > PIECE) {
    for (const text of pieces(output)) write({ type: 'delta', run, text });
  } else if (output !== '' || !error) {
    write({ type: 'message', run, content: [{ type: 'text', text: output }] });
  }
  if (error) write({ type: 'error', run, ...errorFields(error) });
  write({ type: 'done', run, status: error ? 'error' : 'ok' });
  return code;
}

function pieces(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + PIECE);
    // A surrogate pair stays together.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

function currentRun(env: NodeJS.ProcessEnv): RunId {
  const given = env['CTX_RUN_ID'];
  try {
    return given === undefined ? newRunId() : parseRunId(given);
  } catch {
    return newRunId();
  }
}

function write(frame: object): void {
  writeAll(1, encodeFrame(frame));
}
