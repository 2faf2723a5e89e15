import { CortexError } from '@cortexfs/abi/errors';
import { OBJECT_RECEIPT } from '@cortexfs/abi/paths';
import { formatObjectReceipt, type ObjectReceipt, parseObjectReceipt } from '@cortexfs/abi/receipt/object';
import { controlsOf, type ObjectPlace } from '../objects/object.ts';
import type { World } from '../world.ts';

const codec = { parse: parseObjectReceipt, format: formatObjectReceipt };

/** Installed means: the control directory holds a receipt, whatever is in it. */
export function isInstalled({ places, store }: World, object: ObjectPlace): boolean {
  const controls = places.directory(controlsOf(object));
  return controls !== undefined && store.find(controls, OBJECT_RECEIPT) !== undefined;
}

/** The receipt of an installed object; EACCES when it cannot be read or speaks of something else. */
export function receiptOf(world: World, object: ObjectPlace): ObjectReceipt {
  const receipt = world.controls.load(controlsOf(object), OBJECT_RECEIPT, codec);
  if (receipt instanceof CortexError) throw fault(`its receipt cannot be used: ${receipt.message}`);
  const { class: objectClass, name, tier, control } = receipt;
  if (objectClass !== object.class || name !== object.name)
    throw fault(`its receipt is that of ${objectClass}/${name}`);
  if (tier !== tierOf(object)) throw fault(`its receipt is one of the ${tier} tier`);
  const controls = world.places.directory(controlsOf(object));
  if (controls === undefined || world.store.stat(controls).ino !== control.ino)
    throw fault('its control directory is not the one that was installed');
  return receipt;
}

/** The refusal of an artifact. */
export function fault(why: string): CortexError {
  return new CortexError('EACCES', why, { layer: 'receipt' });
}

function tierOf({ directory }: ObjectPlace): 'user' | 'system' {
  return directory.startsWith('home/') ? 'user' : 'system';
}
