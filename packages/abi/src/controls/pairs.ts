import { quoted } from '../quote.ts';
import { invalid } from './codec.ts';
import { allLines } from './lines.ts';

export type Pairs = ReadonlyMap<string, string>;

/** `KEY=VALUE` lines. The value is everything after the first `=`, blanks included. A key stands once. */
export function parsePairs(text: string, keyPattern: RegExp): Pairs {
  const pairs = new Map<string, string>();
  for (const { number, text: line } of allLines(text)) {
    const split = line.indexOf('=');
    if (split < 0) throw invalid(`must be KEY=VALUE, got ${quoted(line)}`, { line: number });
    const key = line.slice(0, split);
    if (!keyPattern.test(key)) throw invalid(`has a bad key ${quoted(key)}`, { line: number });
    if (pairs.has(key)) throw invalid(`repeats the key ${quoted(key)}`, { line: number });
    pairs.set(key, line.slice(split + 1));
  }
  return pairs;
}

export function formatPairs(pairs: Pairs): string {
  return [...pairs].map(([key, value]) => `${key}=${value}\n`).join('');
}
