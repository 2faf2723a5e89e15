import type { BigIntStats, Stats } from 'node:fs';

export type Kind = 'file' | 'directory' | 'symlink' | 'fifo' | 'socket' | 'char-device' | 'block-device';

export function kindOf(stat: Stats | BigIntStats): Kind {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'directory';
  if (stat.isSymbolicLink()) return 'symlink';
  if (stat.isFIFO()) return 'fifo';
  if (stat.isSocket()) return 'socket';
  return stat.isCharacterDevice() ? 'char-device' : 'block-device';
}
