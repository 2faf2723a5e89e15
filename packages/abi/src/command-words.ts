import { CortexError } from './errors.ts';

/**
 * The words of one command line, quoted as in sh: blanks separate, single quotes keep everything, double quotes keep all
 * but `\"` and `\\`, a backslash keeps the next character. Nothing is expanded. EINVAL when a quote or a
 * backslash has no end. See docs/tools.md.
 */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  token.lastIndex = 0;
  for (let word: string | undefined; token.lastIndex < line.length; ) {
    const start = token.lastIndex;
    const match = token.exec(line);
    if (match === null) throw unfinished(line, start);
    const { blank, single, double, escaped, plain } = match.groups!;
    if (blank === undefined) {
      word = (word ?? '') + (single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? plain);
    }
    if (word !== undefined && (blank !== undefined || token.lastIndex === line.length)) {
      words.push(word);
      word = undefined;
    }
  }
  return words;
}

/** A command line that `splitWords` reads as these words. */
export function joinWords(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

const token =
  /(?<blank>[ \t\n]+)|'(?<single>[^']*)'|"(?<double>[^"\\]*(?:\\.[^"\\]*)*)"|\\(?<escaped>.)|(?<plain>[^ \t\n'"\\]+)/suy;

function unfinished(line: string, start: number): CortexError {
  const what = { "'": 'single quote', '"': 'double quote' }[line[start]!] ?? 'backslash';
  return new CortexError('EINVAL', `the ${what} at character ${start + 1} has no end`, { layer: 'format' });
}
