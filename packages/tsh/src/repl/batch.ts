import { splitWords } from '@cortexfs/abi/command-words';
import { fromNodeError } from '@cortexfs/abi/errors';
import { Leave } from '../builtin/builtin.ts';
import { runWords, type Surroundings } from '../run/command-line.ts';
import { readLine } from './lines.ts';

/** Runs the command lines of standard input, one after the other. Returns the exit code of the last. */
export async function runBatch(around: Surroundings): Promise<number> {
  let code = 0;
  for (let line = readLine(0); line !== undefined; line = readLine(0)) {
    try {
      code = await runLine(around, line, code);
    } catch (error) {
      if (error instanceof Leave) return error.code ?? code;
      throw error;
    }
  }
  return code;
}

/** Runs one line; an empty one or a `#` comment changes nothing. */
export async function runLine(around: Surroundings, line: string, before: number): Promise<number> {
  if (line.trim() === '' || line.trimStart().startsWith('#')) return before;
  let words: string[];
  try {
    words = splitWords(line);
  } catch (error) {
    const failure = fromNodeError(error, {});
    around.err(`tsh: ${failure.message}\n`);
    return 2;
  }
  return await runWords(around, words);
}
