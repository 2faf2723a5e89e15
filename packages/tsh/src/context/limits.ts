import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { readSmallFile } from '../place/small-file.ts';

/** How many tools may be loaded; from `tool/tsh.d/config`. */
export interface Limits {
  /** Loaded tools, pinned ones counted. */
  max_loaded_tools: number;
  /** Loaded tools that are not pinned. */
  cache_capacity: number;
  /** The part of the cache, in percent, that new tools enter without competing. */
  window_percent: number;
}

export const DEFAULT_LIMITS: Limits = { max_loaded_tools: 64, cache_capacity: 32, window_percent: 1 };
const RANGES: Readonly<Record<keyof Limits, readonly [number, number]>> = {
  max_loaded_tools: [1, 1024],
  cache_capacity: [1, 1024],
  window_percent: [0, 100],
};
const CONFIG = 'tool/tsh.d/config';

export function loadLimits(root: string): Limits {
  const text = readSmallFile(join(root, CONFIG), CONFIG);
  return text === undefined ? DEFAULT_LIMITS : parseLimits(text);
}

/** `KEY=VALUE` lines, each key at most once; blank lines and `#` comments are allowed. EINVAL names the line. */
export function parseLimits(text: string): Limits {
  const limits: Partial<Limits> = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, key = '', digits = ''] = /^([a-z_]+)=(\d{1,4})$/.exec(line) ?? [];
    if (!isKey(key))
      throw invalid(index + 1, `expected one of ${Object.keys(RANGES).join(' ')} with "=" and a number`);
    if (limits[key] !== undefined) throw invalid(index + 1, `${key} is set a second time`);
    const [min, max] = RANGES[key];
    const value = Number(digits);
    if (value < min || value > max) throw invalid(index + 1, `${key} must be from ${min} to ${max}`);
    limits[key] = value;
  }
  return { ...DEFAULT_LIMITS, ...limits };
}

function isKey(key: string): key is keyof Limits {
  return Object.hasOwn(RANGES, key);
}

function invalid(line: number, why: string): CortexError {
  return new CortexError('EINVAL', why, { line, path: CONFIG, layer: 'control' });
}
