import { quoted } from '../quote.ts';
import { type Codec, control, invalid } from './codec.ts';
import { oneLine } from './lines.ts';

/** An absolute path in its only spelling: no `.`, `..`, empty component, final slash or control character. */
export function parseAbsolutePath(text: string, what: string): string {
  if (!text.startsWith('/')) throw invalid(`${what} must be an absolute path, got ${quoted(text)}`);
  if (/[\x00-\x1f\x7f-\x9f]/.test(text)) throw invalid(`${what} has a control character: ${quoted(text)}`);
  if (text === '/') return text;
  for (const part of text.slice(1).split('/')) {
    if (part === '' || part === '.' || part === '..') {
      throw invalid(`${what} must have no ${quoted(part)} component, got ${quoted(text)}`);
    }
  }
  return text;
}

/** A control that holds one absolute path. */
export function pathControl(name: string): Codec<string> {
  return control({
    parse: (text) => parseAbsolutePath(oneLine(text), name),
    format: (path) => `${path}\n`,
  });
}
