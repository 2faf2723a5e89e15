import { CortexError } from './errors.ts';
import { quoted } from './quote.ts';

const NUMBER = '(?:0|[1-9][0-9]*)';
const PRE = `(?:${NUMBER}|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)`;
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${PRE}(?:\\.${PRE})*)?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);
const LONGEST = 256;

/**
 * Reads a version as https://semver.org defines it, without a leading `v` or blanks around it. Numbers go to
 * 2^53 - 1, the whole to 256 characters. Throws EINVAL (docs/manifest.md).
 */
export function parseVersion(text: string): string {
  if (isVersion(text)) return text;
  throw new CortexError('EINVAL', `must be a version such as 1.2.3, got ${quoted(text)}`, {
    layer: 'manifest',
  });
}

export function isVersion(text: string): boolean {
  if (text.length > LONGEST || !VERSION.test(text)) return false;
  return text
    .split(/[-+]/, 1)[0]!
    .split('.')
    .every((part) => Number.isSafeInteger(Number(part)));
}
