import { join } from 'node:path';
import { config, DEFAULT_TOOL_LIMITS, type ToolLimits } from '@cortexfs/abi/controls/tool/config';
import { CortexError, withContext } from '@cortexfs/abi/errors';
import { readSmallFile } from '../place/small-file.ts';

/** How many tools may be loaded; from `tool/tsh.d/config`. */
export type Limits = ToolLimits;

export const DEFAULT_LIMITS: Limits = DEFAULT_TOOL_LIMITS;
const CONFIG = 'tool/tsh.d/config';

export function loadLimits(root: string): Limits {
  const text = readSmallFile(join(root, CONFIG), CONFIG);
  return text === undefined ? DEFAULT_LIMITS : parseLimits(text);
}

/** What is not set has its default. EINVAL names the line. */
export function parseLimits(text: string): Limits {
  try {
    return { ...DEFAULT_LIMITS, ...config.parse(text) };
  } catch (error) {
    throw error instanceof CortexError ? withContext(error, { path: CONFIG }) : error;
  }
}
