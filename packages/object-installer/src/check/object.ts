import { closeSync } from 'node:fs';
import type { Manifest } from '@cortexfs/abi/manifest';
import { type InvalidCandidate, openCandidate } from './candidate.ts';

/** The outcome of a check; `valid` exactly when there is no fault. */
export type ObjectReport = { valid: true; file: string; manifest: Manifest; size: number } | InvalidCandidate;

/** Checks a manifest and the executable that it names (docs/object-installer.md). Writes nothing, and nothing stays open. */
export async function checkObject(
  file: string,
  watch?: (bytes: number, total: number) => void,
): Promise<ObjectReport> {
  const candidate = await openCandidate(file, { digest: true, ...(watch === undefined ? {} : { watch }) });
  if (!candidate.valid) return candidate;
  const { artifact, ...report } = candidate;
  closeSync(artifact.descriptor);
  return report;
}
