import { constants, fstatSync, openSync, readlinkSync, type Stats } from 'node:fs';

/**
 * Plain node has no openat; `/proc/self/fd/N/NAME` is the same thing, with N held open. Names are byte strings
 * (latin1), because Linux names need not be UTF-8.
 */
const O_PATH = 0o10000000;

/** A path that means NAME in the held directory; for node's file calls. */
export function inDirectory(directory: number, name: string): Buffer {
  return Buffer.from(`/proc/self/fd/${directory}/${name}`, 'latin1');
}

/** Holds an object without opening it: no read, no blocking on FIFOs, no device side effects, links not followed. */
export function holdNoFollow(directory: number, name: string): number {
  return openSync(inDirectory(directory, name), O_PATH | constants.O_NOFOLLOW);
}

export function holdRoot(): number {
  return openSync('/', O_PATH | constants.O_DIRECTORY);
}

/** A path that means the held object itself. */
export function heldPath(held: number): string {
  return `/proc/self/fd/${held}`;
}

/** Opens the very object that a held descriptor stands for; the caller has seen its type. */
export function reopen(held: number, flags: number): number {
  return openSync(heldPath(held), flags);
}

export function readLink(directory: number, name: string): string {
  return readlinkSync(inDirectory(directory, name), 'latin1' as BufferEncoding);
}

export function statHeld(held: number): Stats {
  return fstatSync(held);
}

export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
