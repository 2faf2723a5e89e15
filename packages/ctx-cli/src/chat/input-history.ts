import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parseJson } from '@cortexfs/abi/json';
import { oneLine } from '@cortexfs/abi/terminal-text';
import { BREAK } from './paste.ts';

/** How much of the end of a session's messages is looked at, in bytes. */
const lookBack = 256 * 1024;

/** The person's earlier inputs in a session, newest first, for the line editor: the session itself is the history. */
export function inputHistory(messagesFile: string): string[] {
  const lines = tailOf(messagesFile).split('\n');
  return lines
    .reverse()
    .map(inputOf)
    .filter((input) => input !== undefined && input !== '') as string[];
}

function inputOf(line: string): string | undefined {
  try {
    const message = parseJson(line) as { role?: unknown; content?: { text?: unknown }[] };
    const text = message.role === 'user' ? message.content?.[0]?.text : undefined;
    return typeof text === 'string' ? oneLine(text.replaceAll('\n', BREAK)) : undefined;
  } catch {
    return undefined;
  }
}

function tailOf(file: string): string {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, lookBack));
    readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8');
  } finally {
    closeSync(fd);
  }
}
