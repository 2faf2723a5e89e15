import { codecFor } from '@cortexfs/abi/controls/registry';
import { CortexError } from '@cortexfs/abi/errors';
import type { ModelId, ObjectName } from '@cortexfs/abi/names';
import { formatObjectMetadata, MODEL_FIELDS } from '@cortexfs/abi/object-metadata';
import type { World } from '../world.ts';
import { controlsOf, type ObjectPlace } from './object.ts';

/** What reading an executable shows: never what it is made of. */
export function metadataOf(world: World, object: ObjectPlace): Buffer {
  const name = object.name as ObjectName | ModelId;
  const fields = object.class === 'model' ? { fields: modelFields(world, object) } : {};
  return Buffer.from(formatObjectMetadata({ runner: world.runner, class: object.class, name, ...fields }));
}

/** The listing fields of a model, each on one line; what cannot be read is left out. */
function modelFields(world: World, object: ObjectPlace): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const field of MODEL_FIELDS) {
    const codec = codecFor('model', field);
    const value = codec && world.controls.load(controlsOf(object), field, codec);
    if (codec === undefined || value instanceof CortexError) continue;
    fields[field] = codec.format(value).trimEnd().split('\n').join(',');
  }
  return fields;
}
