import { accessSync, constants } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import type { Place } from '@cortexfs/linux/place';

/** A place whose models the caller may change. EPERM for the machine's, which is root's; ENOENT before there is a store. */
export function modelsPlace(place: Place): Place {
  if (place.kind === 'system' && process.geteuid!() !== 0)
    throw new CortexError('EPERM', 'the models of the machine’s deployment are root’s to add and remove', {
      path: 'model',
      layer: 'credentials',
      hint: 'run it as root (sudo), or use a deployment of your own: --root DIR',
    });
  // What everybody's agents read has to be open to everybody, whatever root's umask is; keys are private whatever it is.
  if (place.kind === 'system') process.umask(0o022);
  try {
    accessSync(`${place.store}/model`, constants.W_OK);
    return place;
  } catch {
    throw new CortexError('ENOENT', `${place.store} is not a store`, {
      layer: 'store',
      hint: 'ctx bootstrap',
    });
  }
}
