import type { JsonObject } from '../json.ts';
import type { ManifestSchema } from '../manifest.ts';
import { parseVersion } from '../object-version.ts';
import { quoted } from '../quote.ts';
import { parseRequirement, satisfies } from '../requirement.ts';
import { Faults } from './faults.ts';

/**
 * `version` and `compatibility.cortexfs`: required by version 2 of the schema, refused by version 1. With an
 * unknown schema nothing is known about them.
 */
export function checkCompatibility(
  faults: Faults,
  document: JsonObject,
  schema: ManifestSchema | undefined,
  productVersion: string,
): { version: string; cortexfs: string } | undefined {
  if (schema === undefined) return undefined;
  if (schema === 'cortexfs.object/v1') {
    for (const key of ['version', 'compatibility']) {
      if (Object.hasOwn(document, key)) faults.add(key, 'belongs to cortexfs.object/v2');
    }
    return undefined;
  }
  const version = faults.string('', document, 'version', parseVersion);
  const compatibility = faults.object('', document, 'compatibility');
  if (compatibility === undefined) return undefined;
  faults.unknownKeys('compatibility', compatibility, ['cortexfs']);
  const cortexfs = faults.string('compatibility', compatibility, 'cortexfs', (text) =>
    requireMet(text, productVersion),
  );
  return version === undefined || cortexfs === undefined ? undefined : { version, cortexfs };
}

function requireMet(text: string, productVersion: string): string {
  if (satisfies(parseRequirement(text), productVersion)) return text;
  throw Faults.fault(`asks for CortexFS ${quoted(text)}, this is ${productVersion}`);
}
