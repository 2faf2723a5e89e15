import { controlEntry, controlNames } from '../controls/registry.ts';
import { text as textCodec } from '../controls/text.ts';
import { schema as schemaCodec } from '../controls/tool/schema.ts';
import type { JsonObject } from '../json.ts';
import type { InstallableClass } from '../manifest.ts';
import { Faults } from './faults.ts';

/** The control files of the object: required ones present, no other than known ones, each read by its codec. */
export function checkControls(
  faults: Faults,
  document: JsonObject,
  objectClass: InstallableClass | undefined,
  compileSchema: ((schema: JsonObject) => void) | undefined,
): Map<string, string> {
  const controls = new Map<string, string>();
  const given = faults.object('', document, 'controls');
  if (given === undefined || objectClass === undefined) return controls;
  const installable = controlNames(objectClass).filter(
    (name) => controlEntry(objectClass, name)?.writer !== 'nobody',
  );
  faults.unknownKeys('controls', given, installable);
  for (const name of installable) {
    const { codec, required } = controlEntry(objectClass, name)!;
    if (!required && !Object.hasOwn(given, name)) continue;
    const content = faults.string('controls', given, name, (text) => {
      codec.parse(textCodec.parse(text));
      if (objectClass === 'tool' && name === 'schema') compile(text, compileSchema);
      return text;
    });
    if (content !== undefined) controls.set(name, content);
  }
  return controls;
}

function compile(text: string, compileSchema: ((schema: JsonObject) => void) | undefined): void {
  try {
    compileSchema?.(schemaCodec.parse(text));
  } catch (err) {
    throw Faults.fault(`is no usable JSON Schema: ${err instanceof Error ? err.message : String(err)}`);
  }
}
