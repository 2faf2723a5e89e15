import { closeSync, constants, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { checkManifest, MAX_MANIFEST_BYTES, type Manifest } from '@cortexfs/abi/manifest';
import type { ManifestFault } from '@cortexfs/abi/manifest/faults';
import type { OpenFile } from '../file/regular.ts';
import { readText } from '../file/text.ts';
import { checkDigest, openArtifact } from './artifact.ts';
import { schemaCompiler } from './schema-compiler.ts';

/** A manifest without a fault and the executable that it names, held open; the caller closes it. */
export interface Candidate {
  valid: true;
  /** The manifest, as the caller named it. */
  file: string;
  manifest: Manifest;
  artifact: OpenFile;
  size: number;
}

export interface InvalidCandidate {
  valid: false;
  file: string;
  faults: readonly ManifestFault[];
}

export interface CandidateOptions {
  /** Read the executable now, rather than while it is copied. With another fault it is read in any case, so that all are told. */
  digest: boolean;
  watch?: (bytes: number, total: number) => void;
}

/**
 * Opens and checks a manifest and the executable that it names (docs/object-installer.md). Both are opened once, without
 * following links, from the held directory of the manifest, and only the opened files are looked at. Writes nothing.
 */
export async function openCandidate(
  file: string,
  options: CandidateOptions,
): Promise<Candidate | InvalidCandidate> {
  const compileSchema = await schemaCompiler();
  let directory: number | undefined;
  try {
    directory = openSync(dirname(file), constants.O_RDONLY | constants.O_DIRECTORY);
    const text = readText(directory, basename(file), MAX_MANIFEST_BYTES, 'a manifest');
    const { manifest, executable, faults } = checkManifest(text, { compileSchema });
    if (executable === undefined) return { valid: false, file, faults };
    const { file: artifact, size, faults: more } = openArtifact(directory, executable);
    if (artifact === undefined) return { valid: false, file, faults: [...faults, ...more] };
    const found = [...faults, ...more];
    const unread = size === undefined || !(options.digest || found.length > 0);
    if (!unread) found.push(...(await checkDigest(artifact, executable, options.watch)));
    if (manifest !== undefined && size !== undefined && found.length === 0)
      return { valid: true, file, manifest, artifact, size };
    closeSync(artifact.descriptor);
    return { valid: false, file, faults: found };
  } catch (err) {
    return { valid: false, file, faults: [faultOf(fromNodeError(err, { path: file }))] };
  } finally {
    if (directory !== undefined) closeSync(directory);
  }
}

function faultOf({ code, message, hint }: CortexError): ManifestFault {
  return { at: '', code, message, ...(hint === undefined ? {} : { hint }) };
}
