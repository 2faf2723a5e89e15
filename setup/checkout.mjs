import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the checkout that this set-up belongs to. */
export const checkout = dirname(dirname(fileURLToPath(import.meta.url)));

/** The pinned package manager, as "pnpm@VERSION". */
export const pinnedPnpm = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')).packageManager;

/** Absolute path of a built bin. */
export function bin(name) {
  return join(checkout, 'dist', 'bin', name);
}
