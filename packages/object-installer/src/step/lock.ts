import { CortexError } from '@cortexfs/abi/errors';
import { statusOf } from '@cortexfs/linux/entry';
import { requireSame } from '../object/installed.ts';
import { controlsName } from '../object/target.ts';
import { lockDirectory } from '../place/lock.ts';
import type { Step } from './step.ts';
import { held, type Work } from './work.ts';

export const lockClass: Step<Work> = {
  name: 'lock-class',
  does: ({ place }) => `lock ${place.path} against other installers, check that it is still in its place`,
  async run(work) {
    work.lock = await lockDirectory(work.place.descriptor, work.place.path);
    work.place.requireInPlace();
  },
};

/** Only new objects are installed. */
export const checkFree: Step<Work> = {
  name: 'check-free',
  does: ({ target }) => `check that ${target.name} and ${controlsName(target.name)} are free`,
  run: requireFree,
};

/** Nobody changed the installed object since it was verified. */
export const checkCurrent: Step<Work> = {
  name: 'check-current',
  does: () => 'check the installed object by its receipt once more',
  run: ({ place, target, current }) => requireSame(place, target, held(current)),
};

export function requireFree({ place, target }: Work): void {
  if (!place.exists) return;
  for (const name of [controlsName(target.name), target.name]) {
    if (statusOf(place.descriptor, name) === undefined) continue;
    throw new CortexError('EEXIST', 'there is something already: only new objects are installed', {
      path: `${place.path}/${name}`,
      layer: 'store',
      hint: `object-installer inspect ${target.class} ${target.name} --tier ${target.tier} tells what; replace or uninstall it`,
    });
  }
}
