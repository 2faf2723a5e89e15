import { closeSync, constants, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { checkManifest, type Manifest } from '@cortexfs/abi/manifest';
import type { ManifestFault } from '@cortexfs/abi/manifest/faults';
import { checkArtifact } from './artifact.ts';
import { readManifest } from './manifest-file.ts';
import { schemaCompiler } from './schema-compiler.ts';

/** The outcome of a check; `valid` exactly when there is no fault. */
export type ObjectReport =
  | { valid: true; file: string; manifest: Manifest; size: number }
  | { valid: false; file: string; faults: readonly ManifestFault[] };

/**
 * Checks a manifest and the executable that it names (docs/object-installer.md). Both are opened once, without following
 * links, from the held directory of the manifest, and only the opened files are looked at. Writes nothing.
 */
export async function checkObject(file: string): Promise<ObjectReport> {
  const compileSchema = await schemaCompiler();
  let directory: number | undefined;
  try {
    directory = openSync(dirname(file), constants.O_RDONLY | constants.O_DIRECTORY);
    const report = checkManifest(readManifest(directory, basename(file)), { compileSchema });
    const artifact = report.executable && checkArtifact(directory, report.executable);
    const faults = [...report.faults, ...(artifact?.faults ?? [])];
    if (report.manifest === undefined || artifact?.size === undefined || faults.length > 0) {
      return { valid: false, file, faults };
    }
    return { valid: true, file, manifest: report.manifest, size: artifact.size };
  } catch (err) {
    return { valid: false, file, faults: [faultOf(fromNodeError(err, { path: file }))] };
  } finally {
    if (directory !== undefined) closeSync(directory);
  }
}

function faultOf({ code, message, hint }: CortexError): ManifestFault {
  return { at: '', code, message, ...(hint === undefined ? {} : { hint }) };
}
