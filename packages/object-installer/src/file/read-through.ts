import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { Faults } from '@cortexfs/abi/manifest/faults';

/** Largest executable of an object, in bytes. */
export const MAX_ARTIFACT_BYTES = 4 * 1024 ** 3;

const CHUNK = 1024 * 1024;
/** Chunks between two turns of the event loop, in which signals arrive. */
const CHUNKS_A_TURN = 8;

export interface Passage {
  /** Gets each piece at its place; the buffer is used again afterwards. */
  each?: (piece: Uint8Array, position: number) => void;
  /** Called now and then with the bytes read so far; may throw to stop. */
  watch?: ((bytes: number) => void) | undefined;
}

/** Reads an open file once, in constant memory, and tells what it holds. EMSGSIZE over 4 GiB. */
export async function readThrough(descriptor: number, { each, watch }: Passage = {}) {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK);
  let size = 0;
  for (let chunk = 1; ; chunk++) {
    const read = readSync(descriptor, buffer, 0, CHUNK, size);
    if (read === 0) return { sha256: hash.digest('hex'), size };
    if (size + read > MAX_ARTIFACT_BYTES) throw tooLarge();
    const piece = buffer.subarray(0, read);
    hash.update(piece);
    each?.(piece, size);
    size += read;
    if (chunk % CHUNKS_A_TURN !== 0) continue;
    await turn();
    watch?.(size);
  }
}

export function tooLarge() {
  return Faults.fault(`is larger than ${MAX_ARTIFACT_BYTES} bytes`, 'EMSGSIZE');
}
