import type { Dirent } from 'node:fs';
import { BLOCK_DEVICE, CHARACTER_DEVICE, DIRECTORY, FIFO, REGULAR, SOCKET, SYMLINK } from '../store/mode.ts';

/** The S_IFMT bits of a directory entry, 0 where it does not tell. */
export function listedType(entry: Dirent): number {
  if (entry.isFile()) return REGULAR;
  if (entry.isDirectory()) return DIRECTORY;
  if (entry.isSymbolicLink()) return SYMLINK;
  if (entry.isSocket()) return SOCKET;
  if (entry.isFIFO()) return FIFO;
  if (entry.isCharacterDevice()) return CHARACTER_DEVICE;
  return entry.isBlockDevice() ? BLOCK_DEVICE : 0;
}
