import { closeSync, constants, readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { CortexError } from '@cortexfs/abi/errors';
import { reopen, statHeld } from '../filesystem/descriptor.ts';
import { type FoundFile, filesBelow, MAX_FILES } from './files.ts';
import { globTest } from './glob.ts';
import { below, MAX_FILE_BYTES, type Match, type Search, shortened } from './match.ts';

/** How long one file's lines may be tried: some expressions take for ever on some lines. */
const FILE_TIMEOUT_MS = 5000;

/** The search without ripgrep. EINVAL for a bad expression, ETIMEDOUT for one that does not come to an end. */
export function ownSearch(search: Search, start: number): Match[] {
  const expression = compile(search.pattern);
  const fits = search.glob === undefined ? () => true : globTest(search.glob);
  const isDirectory = statHeld(start).isDirectory();
  const files = isDirectory ? filesBelow(start) : [{ path: '', held: start }];
  const matches: Match[] = [];
  let seen = 0;
  for (const file of files) {
    if (++seen > MAX_FILES || matches.length >= search.most) break;
    if (isDirectory && !fits(file.path)) continue;
    const shown = isDirectory ? below(search.shown, file.path) : search.shown;
    matches.push(...linesOf(file, shown, expression, search.most - matches.length));
  }
  return matches;
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    const why = (error as Error).message.replace(/^Invalid regular expression: /, '');
    throw new CortexError('EINVAL', `not a regular expression: ${why}`, { layer: 'tool' });
  }
}

function linesOf(file: FoundFile, shown: string, expression: RegExp, most: number): Match[] {
  const text = textOf(file);
  if (text === undefined) return [];
  const found: Match[] = [];
  const look = () => {
    for (const [index, line] of text.split('\n').entries()) {
      if (found.length < most && expression.test(line))
        found.push({ file: shown, line: index + 1, text: shortened(line) });
    }
  };
  try {
    // The only way to stop an expression that does not come to an end.
    new Script('look()').runInContext(createContext({ look }), { timeout: FILE_TIMEOUT_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new CortexError('ETIMEDOUT', 'the expression does not come to an end', {
      path: shown,
      layer: 'tool',
    });
  }
  return found;
}

/** Undefined for what is no text, too large, or closed to us. */
function textOf({ held }: FoundFile): string | undefined {
  if (!statHeld(held).isFile() || statHeld(held).size > MAX_FILE_BYTES) return undefined;
  let fd: number | undefined;
  try {
    fd = reopen(held, constants.O_RDONLY);
    const bytes = readFileSync(fd);
    return bytes.includes(0) ? undefined : bytes.toString('utf8').replace(/\n$/, '');
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
