import { Leave } from '../builtin/builtin.ts';
import { BUILTINS } from '../builtin/table.ts';
import type { Surroundings } from '../run/command-line.ts';
import { runLine } from './batch.ts';
import { complete } from './complete.ts';
import { LineEditor } from './editor.ts';
import { History } from './history.ts';

const PROMPT = 'tsh> ';
const INTERRUPTED = 130;

/** Reads and runs lines on a terminal until `exit` or Ctrl-D. Returns the exit code of the last command. */
export async function runInteractive(make: (history: History) => Surroundings): Promise<number> {
  const history = new History(process.env);
  const around = make(history);
  const editor = new LineEditor({
    prompt: PROMPT,
    history: history.lines,
    complete: (line) => complete(line, { commands: () => [...Object.keys(BUILTINS), ...tools(around)] }),
  });
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
    process.stdout.write('\n');
  } catch (error) {
    if (!(error instanceof Leave)) throw error;
    code = error.code ?? code;
  } finally {
    editor.close();
    history.close();
  }
  return code;
}

function tools({ shell }: Surroundings): string[] {
  try {
    return shell.commands();
  } catch {
    // Completion never complains; the command line itself will.
    return [];
  }
}
