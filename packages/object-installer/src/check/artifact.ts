import { createHash } from 'node:crypto';
import { type BigIntStats, fstatSync, readSync } from 'node:fs';
import type { CortexError } from '@cortexfs/abi/errors';
import type { ManifestExecutable } from '@cortexfs/abi/manifest/executable';
import { Faults, type ManifestFault } from '@cortexfs/abi/manifest/faults';
import { withRegularFile } from './regular-file.ts';

/** Largest executable of an object, in bytes. */
export const MAX_ARTIFACT_BYTES = 4 * 1024 ** 3;

const CHUNK = 1024 * 1024;
const EXECUTE_BITS = 0o111n;

export interface ArtifactReport {
  /** In bytes, when the file could be read. */
  size: number | undefined;
  faults: readonly ManifestFault[];
}

/** Checks the executable that a manifest names, on one descriptor: kind, execute bit, size, digest. */
export function checkArtifact(directory: number, executable: ManifestExecutable): ArtifactReport {
  const faults = new Faults();
  const size = faults.try('executable.path', () =>
    withRegularFile(directory, executable.path, (descriptor, before) => {
      if ((before.mode & EXECUTE_BITS) === 0n) faults.add('executable.path', 'has no execute bit');
      if (before.size > MAX_ARTIFACT_BYTES) throw tooLarge();
      const { sha256, size } = digest(descriptor);
      if (changed(before, fstatSync(descriptor, { bigint: true }))) {
        throw Faults.fault('changed while it was read');
      }
      if (sha256 !== executable.sha256)
        faults.add('executable.sha256', `does not match: the file has ${sha256}`);
      return size;
    }),
  );
  return { size, faults: faults.list };
}

/** Reads the file once, in constant memory. */
function digest(descriptor: number): { sha256: string; size: number } {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK);
  let size = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, 0, CHUNK, size);
    if (read === 0) return { sha256: hash.digest('hex'), size };
    size += read;
    if (size > MAX_ARTIFACT_BYTES) throw tooLarge();
    hash.update(buffer.subarray(0, read));
  }
}

function changed(before: BigIntStats, after: BigIntStats): boolean {
  return (['size', 'mode', 'mtimeNs', 'ctimeNs'] as const).some((field) => before[field] !== after[field]);
}

function tooLarge(): CortexError {
  return Faults.fault(`is larger than ${MAX_ARTIFACT_BYTES} bytes`, 'EMSGSIZE');
}
