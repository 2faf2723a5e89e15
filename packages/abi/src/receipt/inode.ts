import { CortexError } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import type { Reader } from '../shape.ts';

/** Which file it is, for as long as it exists: device and inode number, as `stat` with bigints gives them. */
export interface Inode {
  dev: bigint;
  ino: bigint;
}

export interface InodeJson {
  dev: number | string;
  ino: number | string;
}

export function sameInode(a: Inode, b: Inode): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/**
 * A device or inode number, 0 to 2^64 - 1. JSON numbers are exact to 2^53 - 1 only, so that a greater one
 * is written as a string of decimal digits; each number has one spelling. See docs/receipts.md.
 */
export const inodeNumber: Reader<bigint> = (value, at) => {
  const number = exact(value);
  if (number !== undefined) return number;
  throw new CortexError('EINVAL', `"${at}": expected a number from 0 to 2^64 - 1`, { layer: 'receipt' });
};

export function inodeJson({ dev, ino }: Inode): InodeJson {
  return { dev: numberJson(dev), ino: numberJson(ino) };
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

function exact(value: JsonValue): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  if (typeof value !== 'string' || !/^[1-9][0-9]{15,19}$/.test(value)) return undefined;
  const number = BigInt(value);
  return number > MAX_EXACT && number === BigInt.asUintN(64, number) ? number : undefined;
}

function numberJson(value: bigint): number | string {
  return value > MAX_EXACT ? String(value) : Number(value);
}
