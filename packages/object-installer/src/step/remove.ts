import { fstatSync, fsyncSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { sameInode } from '@cortexfs/abi/receipt/inode';
import { moveEntry, openDirectory, removeDirectory, statusOf } from '@cortexfs/linux/entry';
import { stale } from '../object/installed.ts';
import { newResidueName } from '../residue/names.ts';
import { countPlanned, planEntries, removePlanned } from '../residue/tree.ts';
import type { Step } from './step.ts';
import { HIDDEN, held, type Work } from './work.ts';

/** What was put away is exactly the old object; from here on it is residue. */
export const planRemoval: Step<Work> = {
  name: 'plan-removal',
  does: () => 'check that the stage holds the old object and nothing else, plan its removal entry by entry',
  run(work) {
    const { place, current } = work;
    const { name, status } = held(work.stage);
    const descriptor = openDirectory(place.descriptor, name);
    if (descriptor === undefined) throw stale(`${place.path}/${name}`, 'vanished');
    const top = { descriptor, status: fstatSync(descriptor, { bigint: true }) };
    work.removal = { name, top, planned: planEntries(descriptor, `${place.path}/${name}`) };
    if (!sameInode(top.status, status))
      throw stale(`${place.path}/${name}`, 'is another directory than the stage');
    for (const planned of work.removal.planned) {
      const { executable, controls } = held(current);
      const known = new Map([
        [HIDDEN.executable as string, executable],
        [HIDDEN.controls as string, controls],
      ]);
      const file = known.get(Buffer.from(planned.name).toString());
      if (file === undefined || !sameInode(file.status, planned.inode))
        throw stale(
          `${place.path}/${name}/${Buffer.from(planned.name)}`,
          'does not belong to the old object',
        );
    }
  },
};

export const quarantine: Step<Work> = {
  name: 'quarantine',
  does: ({ place, removal }) =>
    `put ${removal === undefined ? 'the stage' : `${place.path}/${removal.name}`} aside as ${place.path}/.cortexfs-cleanup-RANDOM`,
  run(work) {
    const removal = held(work.removal);
    const name = newResidueName('cleanup');
    removal.quarantine = name;
    moveEntry(work.place.descriptor, removal.name, work.place.descriptor, name);
  },
  undo(work) {
    const { place, removal } = work;
    if (removal?.quarantine === undefined) return;
    const there = statusOf(place.descriptor, removal.quarantine);
    if (there === undefined) return;
    if (!sameInode(there, removal.top.status)) throw strange(work);
    moveEntry(place.descriptor, removal.quarantine, place.descriptor, removal.name);
  },
};

export const checkQuarantine: Step<Work> = {
  name: 'check-quarantine',
  does: () => 'check that it is the very directory that was meant, and its names durable',
  run(work) {
    const { place, removal } = work;
    const there = statusOf(place.descriptor, held(held(removal).quarantine));
    if (there === undefined || !sameInode(there, held(removal).top.status)) throw strange(work);
    fsyncSync(place.descriptor);
  },
};

export const emptyQuarantine: Step<Work> = {
  name: 'empty-quarantine',
  does: ({ removal }) =>
    removal === undefined
      ? 'remove its entries, children first, each only if it is the one that was planned'
      : `remove its ${countPlanned(removal.planned)} entries, children first, each only if it is the one that was planned`,
  run(work) {
    const { top, planned } = held(work.removal);
    removePlanned(top.descriptor, quarantinePath(work), planned);
  },
};

export const removeQuarantine: Step<Work> = {
  name: 'remove-quarantine',
  does: ({ place }) => `remove it, sync ${place.path}`,
  run(work) {
    const { place, removal } = work;
    removeDirectory(place.descriptor, held(held(removal).quarantine));
    fsyncSync(place.descriptor);
  },
};

const quarantinePath = ({ place, removal }: Work) => `${place.path}/${held(removal).quarantine}`;

function strange(work: Work): CortexError {
  return new CortexError('ESTALE', 'is not what was put aside: look at it by hand', {
    path: quarantinePath(work),
    layer: 'store',
  });
}
