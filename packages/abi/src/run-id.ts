import type { RunId } from './names.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A fresh run id: a ULID (26 characters of Crockford's base 32; 48 bits of milliseconds, then 80 random
 * bits), so that runs sort by their start. See docs/names.md.
 */
export function newRunId(now: number = Date.now(), random: Uint8Array = randomBytes()): RunId {
  let time = '';
  for (let left = Math.floor(now), digit = 0; digit < 10; digit++, left = Math.floor(left / 32)) {
    time = alphabet[left % 32] + time;
  }
  return `${time}${Array.from(random.subarray(0, 16), (byte) => alphabet[byte % 32]).join('')}` as RunId;
}

function randomBytes(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(16));
}
