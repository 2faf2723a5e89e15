import { type JsonObject, parseJsonObject } from './json.ts';
import { checkCompatibility } from './manifest/compatibility.ts';
import { checkControls } from './manifest/controls.ts';
import { checkExecutable, type ManifestExecutable } from './manifest/executable.ts';
import { Faults, type ManifestFault } from './manifest/faults.ts';
import { type ObjectName, parseObjectName } from './names.ts';
import { quoted } from './quote.ts';
import { VERSION } from './version.ts';

/** A manifest is at most 1 MiB. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;

export const MANIFEST_SCHEMAS = ['cortexfs.object/v1', 'cortexfs.object/v2'] as const;
export type ManifestSchema = (typeof MANIFEST_SCHEMAS)[number];
export type InstallableClass = 'tool' | 'agent';

/** A manifest without a fault. */
export interface Manifest {
  schema: ManifestSchema;
  /** Version 2 only: the object's own version and the CortexFS versions it works with. */
  compatibility: { version: string; cortexfs: string } | undefined;
  class: InstallableClass;
  name: ObjectName;
  executable: ManifestExecutable;
  /** The texts of the control files. */
  controls: ReadonlyMap<string, string>;
}

/** What was found. `executable` is there as soon as it can be looked at, whatever else is wrong. */
export interface ManifestReport {
  manifest: Manifest | undefined;
  executable: ManifestExecutable | undefined;
  faults: readonly ManifestFault[];
}

export interface ManifestChecks {
  /** The CortexFS version that must meet the requirement. */
  productVersion?: string;
  /** Compiles a tool's input schema; throws with the reason when it cannot. */
  compileSchema?: (schema: JsonObject) => void;
}

/** Checks the text of an object manifest (docs/manifest.md) and reports every fault in it, not only the first. */
export function checkManifest(text: string, checks: ManifestChecks = {}): ManifestReport {
  const faults = new Faults();
  const document = faults.try('', () => parseDocument(text));
  if (document === undefined) return { manifest: undefined, executable: undefined, faults: faults.list };

  const schema = checkWord(faults, document, 'schema', MANIFEST_SCHEMAS);
  faults.unknownKeys('', document, [
    'schema',
    'version',
    'compatibility',
    'class',
    'name',
    'executable',
    'controls',
  ]);
  const compatibility = checkCompatibility(faults, document, schema, checks.productVersion ?? VERSION);
  const objectClass = checkWord(faults, document, 'class', ['tool', 'agent'] as const);
  const name = faults.string('', document, 'name', parseObjectName);
  const executable = checkExecutable(faults, document);
  const controls = checkControls(faults, document, objectClass, checks.compileSchema);

  const complete =
    schema !== undefined && objectClass !== undefined && name !== undefined && executable !== undefined;
  const manifest =
    complete && faults.list.length === 0
      ? { schema, compatibility, class: objectClass, name, executable, controls }
      : undefined;
  return { manifest, executable, faults: faults.list };
}

function parseDocument(text: string): JsonObject {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_MANIFEST_BYTES) {
    throw Faults.fault(`a manifest is at most ${MAX_MANIFEST_BYTES} bytes, this has ${bytes}`, 'EMSGSIZE');
  }
  return parseJsonObject(text);
}

function checkWord<const W extends string>(
  faults: Faults,
  document: JsonObject,
  key: string,
  words: readonly W[],
) {
  return faults.string('', document, key, (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word === undefined) throw Faults.fault(`must be ${words.join(' or ')}, got ${quoted(text)}`);
    return word;
  });
}
