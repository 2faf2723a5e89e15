import { fstatSync } from 'node:fs';
import { sameInode } from '@cortexfs/abi/receipt/inode';
import { MAX_OBJECT_RECEIPT_BYTES } from '@cortexfs/abi/receipt/object';
import { moveEntry, statusOf } from '@cortexfs/linux/entry';
import { unchanged, unmodified } from '../file/identity.ts';
import { readText } from '../file/text.ts';
import { controlsToWrite } from '../object/controls.ts';
import { pathOf, stale } from '../object/installed.ts';
import { RECEIPT_FILE } from '../object/receipt-file.ts';
import { controlsName } from '../object/target.ts';
import { namesIn } from '../residue/tree.ts';
import { receiptText } from './controls.ts';
import type { Step } from './step.ts';
import { HIDDEN, held, STAGED, type Work } from './work.ts';

/** The stage holds exactly what was written, by its receipt. */
export const checkStage: Step<Work> = {
  name: 'check-stage',
  does: () => 'check the stage by its receipt',
  run(work) {
    const { place, stage, executable, controls, candidate } = work;
    const { name, descriptor, status } = held(stage);
    const path = `${place.path}/${name}`;
    const top = statusOf(place.descriptor, name);
    if (top === undefined || !sameInode(top, status))
      throw stale(path, 'is another directory than the stage');
    requireNames(descriptor, path, [...Object.values(STAGED)], Object.values(HIDDEN));
    const file = statusOf(descriptor, STAGED.executable);
    const now = fstatSync(held(executable).descriptor, { bigint: true });
    for (const seen of [file, now]) {
      if (seen === undefined || !unchanged(held(executable).status, seen))
        throw stale(`${path}/${STAGED.executable}`, 'changed after it was checked');
    }
    requireOurControls(work, descriptor, STAGED.controls, `${path}/${STAGED.controls}`);
    requireNames(held(controls).descriptor, path, [
      ...controlsToWrite(held(candidate).manifest).keys(),
      RECEIPT_FILE,
    ]);
  },
};

export const publishControls: Step<Work> = {
  name: 'publish-controls',
  does: ({ place, target }) =>
    `move the controls to ${place.path}/${controlsName(target.name)}, which must be free`,
  run({ place, target, stage }) {
    moveEntry(held(stage).descriptor, STAGED.controls, place.descriptor, controlsName(target.name));
  },
  undo({ place, target, stage, controls }) {
    const there = statusOf(place.descriptor, controlsName(target.name));
    if (stage === undefined || there === undefined || !sameInode(there, held(controls).status)) return;
    moveEntry(place.descriptor, controlsName(target.name), stage.descriptor, STAGED.controls);
  },
};

export const checkControls: Step<Work> = {
  name: 'check-controls',
  does: () => 'check the moved controls by their receipt',
  run(work) {
    const { place, target } = work;
    requireOurControls(work, place.descriptor, controlsName(target.name), `${pathOf(place, target)}.d`);
  },
};

/** The one moment at which the object appears, whole. */
export const publishExecutable: Step<Work> = {
  name: 'publish-executable',
  does: ({ place, target }) =>
    `move the executable to ${place.path}/${target.name}, which must be free: from here on the object is there`,
  run({ place, target, stage }) {
    moveEntry(held(stage).descriptor, STAGED.executable, place.descriptor, target.name);
  },
  commits: true,
};

export const checkExecutable: Step<Work> = {
  name: 'check-executable',
  does: () => 'check the moved executable by its receipt',
  run({ place, target, executable }) {
    const { descriptor, status } = held(executable);
    const there = statusOf(place.descriptor, target.name);
    for (const seen of [there, fstatSync(descriptor, { bigint: true })]) {
      if (seen === undefined || !unmodified(status, seen))
        throw stale(pathOf(place, target), 'is not what was put there: somebody else changed it at once');
    }
  },
};

function requireOurControls(work: Work, directory: number, name: string, path: string): void {
  const { descriptor, status } = held(work.controls);
  const there = statusOf(directory, name);
  if (there === undefined || !sameInode(there, status))
    throw stale(path, 'is another directory than the one written');
  const text = readText(descriptor, RECEIPT_FILE, MAX_OBJECT_RECEIPT_BYTES, 'a receipt');
  if (text !== receiptText(work)) throw stale(`${path}/${RECEIPT_FILE}`, 'changed after it was written');
}

function requireNames(
  directory: number,
  path: string,
  wanted: string[],
  allowed: readonly string[] = [],
): void {
  const names = namesIn(directory, path, { left: wanted.length + allowed.length + 1 }).map(String);
  const wrong =
    wanted.find((name) => !names.includes(name)) ??
    names.find((name) => !wanted.includes(name) && !allowed.includes(name));
  if (wrong !== undefined) throw stale(`${path}/${wrong}`, 'does not belong to what was written, or is gone');
}
