import type { Window } from '@cortexfs/abi/controls/window';
import { CortexError } from '@cortexfs/abi/errors';

/** The context window of one model call (docs/prompt.md, "Window"). */
export interface EffectiveWindow {
  /** undefined when neither the setting nor the model tells. */
  readonly tokens: number | undefined;
  /** Four characters a token. */
  readonly chars: number | undefined;
  /** Characters left for the input, the output reserve taken off. */
  readonly inputChars: number | undefined;
}

const CHARS_PER_TOKEN = 4;
const MAX_RESERVE = 4096;

/**
 * The window that a model gets under an agent's setting. A number needs a model whose limit is known and not lower:
 * else EINVAL, for nothing is cut silently.
 */
export function effectiveWindow(setting: Window, limit: number | undefined, model: string): EffectiveWindow {
  const tokens = setting === 'auto' ? limit : checked(setting, limit, model);
  if (tokens === undefined) return { tokens, chars: undefined, inputChars: undefined };
  const reserve = Math.min(MAX_RESERVE, Math.max(1, Math.floor(tokens / 4)));
  const chars = saturate(tokens * CHARS_PER_TOKEN);
  return { tokens, chars, inputChars: Math.max(0, chars - reserve * CHARS_PER_TOKEN) };
}

function checked(setting: number, limit: number | undefined, model: string): number {
  if (limit !== undefined && setting <= limit) return setting;
  const why = limit === undefined ? 'has no known limit' : `has a limit of ${limit}`;
  throw new CortexError('EINVAL', `the window is set to ${setting} tokens, but ${model} ${why}`, {
    layer: 'window',
    hint: 'set the window to auto, or choose another model',
  });
}

function saturate(value: number): number {
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}
