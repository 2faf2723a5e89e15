import { closeSync, fstatSync } from 'node:fs';
import { fromNodeError } from '@cortexfs/abi/errors';
import type { ManifestExecutable } from '@cortexfs/abi/manifest/executable';
import { Faults, type ManifestFault } from '@cortexfs/abi/manifest/faults';
import { unchanged } from '../file/identity.ts';
import { MAX_ARTIFACT_BYTES, readThrough, tooLarge } from '../file/read-through.ts';
import { type OpenFile, openRegular } from '../file/regular.ts';

const EXECUTE_BITS = 0o111n;

export interface ArtifactReport {
  /** Held open, also where something is wrong with it; the caller closes it. */
  file: OpenFile | undefined;
  /** In bytes, when the file could be read. */
  size: number | undefined;
  faults: readonly ManifestFault[];
}

/** Opens the executable that a manifest names and checks what needs no reading: kind, execute bit, size. */
export function openArtifact(directory: number, { path }: ManifestExecutable): ArtifactReport {
  const faults = new Faults();
  const file = faults.try('executable.path', () => openRegular(directory, path));
  if (file === undefined) return { file, size: undefined, faults: faults.list };
  const { mode, size } = file.status;
  if ((mode & EXECUTE_BITS) === 0n) faults.add('executable.path', 'has no execute bit');
  const fits = faults.try('executable.path', () => {
    if (size > MAX_ARTIFACT_BYTES) throw tooLarge();
    return Number(size);
  });
  return { file, size: fits, faults: faults.list };
}

/** Reads an opened executable and checks its digest; one that changes meanwhile is refused. */
export async function checkDigest(
  { descriptor, status }: OpenFile,
  { sha256 }: ManifestExecutable,
  watch?: (bytes: number, total: number) => void,
): Promise<readonly ManifestFault[]> {
  const faults = new Faults();
  await faults.attempt('executable.path', async () => {
    const found = await readThrough(descriptor, {
      watch: (bytes) => watch?.(bytes, Number(status.size)),
    }).catch((err) => Promise.reject(fromNodeError(err)));
    requireUnchanged({ descriptor, status });
    if (found.sha256 !== sha256) faults.add('executable.sha256', mismatch(found.sha256));
  });
  return faults.list;
}

/** Both at once, and nothing stays open. */
export async function checkArtifact(directory: number, executable: ManifestExecutable) {
  const { file, size, faults } = openArtifact(directory, executable);
  if (file === undefined) return { size, faults };
  try {
    if (size === undefined) return { size, faults };
    const digest = await checkDigest(file, executable);
    const unread = digest.some(({ at }) => at === 'executable.path');
    return { size: unread ? undefined : size, faults: [...faults, ...digest] };
  } finally {
    closeSync(file.descriptor);
  }
}

export function requireUnchanged({ descriptor, status }: OpenFile): void {
  if (!unchanged(status, fstatSync(descriptor, { bigint: true })))
    throw Faults.fault('changed while it was read');
}

export const mismatch = (sha256: string) => `does not match: the file has ${sha256}`;
