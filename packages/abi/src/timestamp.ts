import { CortexError } from './errors.ts';

/** RFC 3339 in UTC with milliseconds, always 24 characters: `2026-03-01T12:00:00.000Z`. */
export type Timestamp = string;

export function formatTimestamp(milliseconds: number): Timestamp {
  return new Date(milliseconds).toISOString();
}

/** The text, when it is exactly such a time that exists; else EINVAL. */
export function parseTimestamp(text: string): Timestamp {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time) && formatTimestamp(time) === text) return text;
  throw new CortexError(
    'EINVAL',
    `${JSON.stringify(text.slice(0, 40))} is not a time such as 2026-03-01T12:00:00.000Z`,
    { layer: 'format' },
  );
}
