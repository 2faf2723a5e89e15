import { atLine, type Codec, control, invalid } from '../codec.ts';

/** How many tools tsh keeps loaded for a session (docs/tsh.md, "The tool context"). */
export interface ToolLimits {
  /** Loaded tools, pinned ones counted. */
  max_loaded_tools: number;
  /** Loaded tools that are not pinned. */
  cache_capacity: number;
  /** The part of the cache, in percent, that new tools enter without competing. */
  window_percent: number;
}

export const DEFAULT_TOOL_LIMITS: ToolLimits = {
  max_loaded_tools: 64,
  cache_capacity: 32,
  window_percent: 1,
};

const RANGES: Readonly<Record<keyof ToolLimits, readonly [number, number]>> = {
  max_loaded_tools: [1, 1024],
  cache_capacity: [1, 1024],
  window_percent: [0, 100],
};
const KEYS = Object.keys(RANGES).filter(isKey);

/** `tool/tsh.d/config`: `KEY=VALUE` lines, each key at most once; blank lines and `#` comments are allowed. */
export const config: Codec<Partial<ToolLimits>> = control({
  parse(text) {
    const limits: Partial<ToolLimits> = {};
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() === '' || line.startsWith('#')) continue;
      atLine(index + 1, () => readLine(limits, line));
    }
    return limits;
  },
  format: (limits) =>
    KEYS.flatMap((key) => (limits[key] === undefined ? [] : [`${key}=${limits[key]}\n`])).join(''),
});

function readLine(limits: Partial<ToolLimits>, line: string): void {
  const [, key = '', digits = ''] = /^([a-z_]+)=(\d{1,4})$/.exec(line) ?? [];
  if (!isKey(key)) throw invalid(`expected one of ${KEYS.join(' ')} with "=" and a number`);
  if (limits[key] !== undefined) throw invalid(`${key} is set a second time`);
  const [min, max] = RANGES[key];
  const value = Number(digits);
  if (value < min || value > max) throw invalid(`${key} must be from ${min} to ${max}`);
  limits[key] = value;
}

function isKey(key: string): key is keyof ToolLimits {
  return Object.hasOwn(RANGES, key);
}
