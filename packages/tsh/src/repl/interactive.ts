import { createInterface, type Interface } from 'node:readline';
import { Leave } from '../builtin/builtin.ts';
import { BUILTINS } from '../builtin/table.ts';
import type { Surroundings } from '../run/command-line.ts';
import { runLine } from './batch.ts';
import { complete } from './complete.ts';
import { History } from './history.ts';

const PROMPT = 'tsh> ';
const INTERRUPTED = 130;

/** Reads and runs lines on a terminal until `exit` or Ctrl-D. Returns the exit code of the last command. */
export async function runInteractive(make: (history: History) => Surroundings): Promise<number> {
  const history = new History(process.env);
  const around = make(history);
  const editor = lineEditor(around, history);
  let code = 0;
  try {
    for (let line = await editor.next(); line !== undefined; line = await editor.next()) {
      if (line === null) {
        code = INTERRUPTED;
        continue;
      }
      history.add(line);
      code = await runLine(around, line, code);
    }
  } catch (error) {
    if (!(error instanceof Leave)) throw error;
    code = error.code ?? code;
  } finally {
    editor.close();
    history.close();
  }
  return code;
}

/** `next` gives a line, null after Ctrl-C, undefined at the end. Between two calls the terminal belongs to the command. */
function lineEditor(around: Surroundings, history: History) {
  /** Lines that came in one piece, as when several are pasted. */
  const pasted: string[] = [];
  let open: Interface | undefined;

  const begin = (resolve: (line: string | null | undefined) => void) => {
    const reader = createInterface({
      input: process.stdin,
      output: process.stdout,
      prompt: PROMPT,
      history: [...history.lines].reverse(),
      historySize: 1000,
      removeHistoryDuplicates: true,
      completer: (line: string) =>
        complete(line, { commands: () => [...Object.keys(BUILTINS), ...tools(around)] }),
    });
    open = reader;
    let result: string | null | undefined;
    reader.on('line', (line) => {
      if (result === undefined) {
        result = line;
        reader.close();
      } else pasted.push(line);
    });
    reader.on('SIGINT', () => {
      process.stdout.write('^C\n');
      result = null;
      reader.close();
    });
    reader.on('close', () => {
      open = undefined;
      if (result === undefined) process.stdout.write('\n');
      resolve(result);
    });
    reader.prompt();
  };

  return {
    next(): Promise<string | null | undefined> {
      const waiting = pasted.shift();
      if (waiting !== undefined) {
        process.stdout.write(`${PROMPT}${waiting}\n`);
        return Promise.resolve(waiting);
      }
      return new Promise(begin);
    },
    close: () => open?.close(),
  };
}

function tools({ shell }: Surroundings): string[] {
  try {
    return shell.commands();
  } catch {
    // Completion never complains; the command line itself will.
    return [];
  }
}
