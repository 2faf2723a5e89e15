import { closeSync, fstatSync, fsyncSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { makeDirectory, openDirectory, removeDirectory } from '@cortexfs/linux/entry';
import { tryLock } from '@cortexfs/linux/flock';
import { newResidueName } from '../residue/names.ts';
import { planEntries, removePlanned } from '../residue/tree.ts';
import type { Step } from './step.ts';
import { HIDDEN, held, type Stage, type Work } from './work.ts';

export const makeClassDirectory: Step<Work> = {
  name: 'make-class-directory',
  does: ({ place }) => `make ${place.path}`,
  applies: ({ place }) => !place.exists,
  run: ({ place }) => place.make(),
};

export const makeStage: Step<Work> = {
  name: 'make-stage',
  does: ({ place }) => `make ${place.path}/.cortexfs-install-RANDOM, closed to others (0700)`,
  run(work) {
    const name = newResidueName('install');
    makeDirectory(work.place.descriptor, name, 0o700);
    work.stage = openStage(work, name);
    // Until this process ends no cleanup takes the stage for residue.
    if (!tryLock(work.stage.descriptor)) throw new CortexError('EBUSY', 'somebody locked the new stage');
  },
  undo: discardStage,
};

/** After an installation the stage is empty. */
export const removeStage: Step<Work> = {
  name: 'remove-stage',
  does: ({ place }) => `remove the empty stage, sync ${place.path}`,
  run({ place, stage }) {
    removeDirectory(place.descriptor, held(stage).name);
    fsyncSync(place.descriptor);
  },
};

/** Makes the names durable that were moved between the stage and the class directory. */
export function syncMoves(name: string): Step<Work> {
  return {
    name,
    does: ({ place }) => `sync ${place.path} and the stage`,
    run({ place, stage }) {
      fsyncSync(place.descriptor);
      fsyncSync(held(stage).descriptor);
    },
  };
}

function openStage({ place }: Work, name: string): Stage {
  const descriptor = openDirectory(place.descriptor, name);
  if (descriptor === undefined)
    throw new CortexError('ESTALE', 'the new stage vanished', { path: `${place.path}/${name}` });
  return { name, descriptor, status: fstatSync(descriptor, { bigint: true }) };
}

/** Removes what we prepared. What was put away from its place and could not go back keeps the stage. */
function discardStage(work: Work): void {
  const { place, stage } = work;
  if (stage === undefined) return;
  const path = `${place.path}/${stage.name}`;
  const prepared = planEntries(stage.descriptor, path);
  const old: readonly string[] = Object.values(HIDDEN);
  const kept = prepared.find(({ name }) => old.includes(Buffer.from(name).toString()));
  if (kept !== undefined) {
    throw new CortexError('EEXIST', 'stays, because it holds what could not go back to its place', {
      path,
      layer: 'store',
    });
  }
  removePlanned(stage.descriptor, path, prepared);
  removeDirectory(place.descriptor, stage.name);
  closeSync(stage.descriptor);
  delete work.stage;
}
