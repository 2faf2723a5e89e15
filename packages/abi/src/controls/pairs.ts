import { quoted } from '../quote.ts';
import { atLine, invalid } from './codec.ts';
import { allLines } from './lines.ts';

export type Pairs = ReadonlyMap<string, string>;

/**
 * `KEY=VALUE` lines. The value is everything after the first `=`, blanks included. A key stands once. `check`
 * may refuse a pair; its refusal gets the line.
 */
export function parsePairs(
  text: string,
  keyPattern: RegExp,
  check: (key: string, value: string) => void = () => {},
): Pairs {
  const pairs = new Map<string, string>();
  for (const { number, text: line } of allLines(text)) {
    const [key, value] = atLine(number, () => parsePair(line, keyPattern));
    if (pairs.has(key)) throw invalid(`repeats the key ${quoted(key)}`, { line: number });
    atLine(number, () => check(key, value));
    pairs.set(key, value);
  }
  return pairs;
}

export function formatPairs(pairs: Pairs): string {
  return [...pairs].map(([key, value]) => `${key}=${value}\n`).join('');
}

function parsePair(line: string, keyPattern: RegExp): [key: string, value: string] {
  const split = line.indexOf('=');
  if (split < 0) throw invalid(`must be KEY=VALUE, got ${quoted(line)}`);
  const key = line.slice(0, split);
  if (!keyPattern.test(key)) throw invalid(`has a bad key ${quoted(key)}`);
  return [key, line.slice(split + 1)];
}
