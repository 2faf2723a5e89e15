import { fstatSync } from 'node:fs';
import { sameInode } from '@cortexfs/abi/receipt/inode';
import { moveEntry, statusOf } from '@cortexfs/linux/entry';
import { unmodified } from '../file/identity.ts';
import { stale } from '../object/installed.ts';
import { controlsName } from '../object/target.ts';
import type { Step } from './step.ts';
import { HIDDEN, held, type Work } from './work.ts';

/** From here on the old object cannot be executed; its file waits in the stage. */
export const hideExecutable: Step<Work> = {
  name: 'hide-executable',
  does: ({ place, target }) =>
    `move the old executable ${place.path}/${target.name} into the stage: it cannot be run any more`,
  applies: ({ current }) => held(current).executable !== undefined,
  run: (work) => hide(work, work.target.name, HIDDEN.executable),
  undo: (work) => bringBack(work, work.target.name, HIDDEN.executable),
};

export const checkHiddenExecutable: Step<Work> = {
  name: 'check-hidden-executable',
  does: () => 'check the old executable by its receipt',
  applies: ({ current }) => held(current).executable !== undefined,
  run(work) {
    const { status, descriptor } = held(held(work.current).executable);
    for (const seen of [inStage(work, HIDDEN.executable), fstatSync(descriptor, { bigint: true })]) {
      if (seen === undefined || !unmodified(status, seen)) throw foreign(work, work.target.name);
    }
  },
};

export const hideControls: Step<Work> = {
  name: 'hide-controls',
  does: ({ place, target }) =>
    `move the old controls ${place.path}/${controlsName(target.name)} into the stage`,
  run: (work) => hide(work, controlsName(work.target.name), HIDDEN.controls),
  undo: (work) => bringBack(work, controlsName(work.target.name), HIDDEN.controls),
};

export const checkHiddenControls: Step<Work> = {
  name: 'check-hidden-controls',
  does: () => 'check the old controls by their receipt',
  run(work) {
    const seen = inStage(work, HIDDEN.controls);
    if (seen === undefined || !sameInode(held(work.current).controls.status, seen))
      throw foreign(work, controlsName(work.target.name));
  },
};

function hide({ place, stage }: Work, name: string, hidden: string): void {
  moveEntry(place.descriptor, name, held(stage).descriptor, hidden);
}

/** Whatever it is that was moved, also what somebody had put into the old one's place, goes back where it stood. */
function bringBack({ place, stage }: Work, name: string, hidden: string): void {
  if (stage === undefined || statusOf(stage.descriptor, hidden) === undefined) return;
  moveEntry(stage.descriptor, hidden, place.descriptor, name);
}

function inStage({ stage }: Work, name: string) {
  return statusOf(held(stage).descriptor, name);
}

function foreign({ place }: Work, name: string) {
  return stale(`${place.path}/${name}`, 'was exchanged at the last moment for something that is not ours');
}
