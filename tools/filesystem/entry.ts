import type { Stats } from 'node:fs';
import { fromBytes, toBytes } from './descriptor.ts';
import { type Kind, kindOf } from './kind.ts';

/** One object as fs.list and fs.stat show it (docs/tools.md). */
export interface Entry {
  readonly name: string;
  /** The name's bytes, only when they are not UTF-8 (`name` then holds replacement characters). */
  readonly name_base64?: string;
  readonly type: Kind;
  /** Bytes. */
  readonly size: number;
  /** Permission bits, four octal digits. */
  readonly mode: string;
  /** Last change of the content, RFC 3339 in UTC with milliseconds. */
  readonly mtime: string;
}

/** `name` is a byte string. */
export function entryOf(name: string, stat: Stats): Entry {
  const text = fromBytes(name);
  return {
    name: text,
    ...(toBytes(text) === name ? {} : { name_base64: Buffer.from(name, 'latin1').toString('base64') }),
    type: kindOf(stat),
    size: stat.size,
    mode: (stat.mode & 0o7777).toString(8).padStart(4, '0'),
    mtime: timeOf(stat.mtimeMs),
  };
}

/** Times that no calendar can write are moved to its first or last moment. */
function timeOf(ms: number): string {
  const most = 8.64e15;
  return new Date(Math.min(most, Math.max(-most, ms))).toISOString();
}
