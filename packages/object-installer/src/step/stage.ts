import { closeSync, fstatSync, fsyncSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { makeDirectory, openDirectory, removeDirectory, statusOf } from '@cortexfs/linux/entry';
import { tryLock } from '@cortexfs/linux/flock';
import { newResidueName } from '../residue/names.ts';
import { type Planned, removePlanned } from '../residue/tree.ts';
import type { Step } from './step.ts';
import { held, STAGED, type Stage, type Work } from './work.ts';

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
    work.written = { files: [] };
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

/**
 * Removes what we prepared and nothing else: what was put away from its place and could not go back, or what somebody put there, keeps the
 * stage.
 */
function discardStage(work: Work): void {
  const { place, stage, written } = work;
  if (stage === undefined) return;
  const path = `${place.path}/${stage.name}`;
  try {
    removePlanned(stage.descriptor, path, preparedIn(stage, written));
  } catch (err) {
    throw new CortexError(
      fromNodeError(err).code,
      'stays, because it holds more than what was prepared there',
      {
        path,
        layer: 'store',
        cause: err,
      },
    );
  }
  removeDirectory(place.descriptor, stage.name);
  closeSync(stage.descriptor);
  delete work.stage;
}

function preparedIn({ descriptor }: Stage, written: Work['written']): Planned[] {
  const { executable, controls, files = [] } = written ?? {};
  const prepared: Planned[] = [];
  if (executable !== undefined && statusOf(descriptor, STAGED.executable) !== undefined)
    prepared.push({ name: STAGED.executable, inode: executable });
  if (controls !== undefined && statusOf(descriptor, STAGED.controls) !== undefined)
    prepared.push({ name: STAGED.controls, inode: controls, entries: files });
  return prepared;
}
