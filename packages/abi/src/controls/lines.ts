import { quoted } from '../quote.ts';
import { invalid } from './codec.ts';

export interface Line {
  /** Counted from 1. */
  number: number;
  text: string;
}

/** The one line of a one-value control. The final newline may be missing, nothing else may be added. */
export function oneLine(text: string): string {
  const line = text.endsWith('\n') ? text.slice(0, -1) : text;
  if (line === '') throw invalid('must hold one value, but is empty');
  if (line.includes('\n')) throw invalid('must hold one line');
  refuseControlCharacters(line, 1);
  if (line !== line.trim()) throw invalid(`has blanks around the value: ${quoted(line)}`);
  return line;
}

/** The lines of a list control; an empty text is an empty list. Blank lines are left to the caller. */
export function allLines(text: string): Line[] {
  if (text === '') return [];
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  return body.split('\n').map((line, index) => {
    refuseControlCharacters(line, index + 1);
    return { number: index + 1, text: line };
  });
}

/** A list with one item a line: blank lines, padding and duplicates are refused. */
export function itemLines(text: string): Line[] {
  const lines = allLines(text);
  const seen = new Set<string>();
  for (const { number, text: item } of lines) {
    if (item.trim() === '') throw invalid('is blank', { line: number });
    if (item !== item.trim()) throw invalid(`has blanks around ${quoted(item)}`, { line: number });
    if (seen.has(item)) throw invalid(`repeats ${quoted(item)}`, { line: number });
    seen.add(item);
  }
  return lines;
}

/** Canonical text of a list: every line ends with a newline, an empty list is an empty file. */
export function formatLines(items: readonly (string | number)[]): string {
  return items.map((item) => `${item}\n`).join('');
}

/** For controls that accept their canonical text only. */
export function requireFinalNewline(text: string): void {
  if (!text.endsWith('\n')) throw invalid('must end with a newline');
}

function refuseControlCharacters(line: string, number: number): void {
  if (/[\x00-\x08\x0a-\x1f\x7f-\x9f]/.test(line)) {
    throw invalid(`has a control character in ${quoted(line)}`, { line: number });
  }
}
