import { syncStage, writeControls, writeReceipt } from './controls.ts';
import { copyExecutable, sealExecutable } from './copy.ts';
import { checkHiddenControls, checkHiddenExecutable, hideControls, hideExecutable } from './hide.ts';
import { checkCurrent, checkFree, lockClass } from './lock.ts';
import { checkControls, checkExecutable, checkStage, publishControls, publishExecutable } from './publish.ts';
import { checkQuarantine, emptyQuarantine, planRemoval, quarantine, removeQuarantine } from './remove.ts';
import { makeClassDirectory, makeStage, removeStage, syncMoves } from './stage.ts';
import type { Step } from './step.ts';
import type { Work } from './work.ts';

const prepare = [makeStage, copyExecutable, sealExecutable, writeControls, writeReceipt, syncStage];
const remove = [quarantine, checkQuarantine, emptyQuarantine, removeQuarantine];

/** Every step of every command that changes a store, in order: what a dry run lists, and where a test may stop the process. */
export const STEPS = {
  install: [
    makeClassDirectory,
    ...prepare,
    lockClass,
    checkFree,
    checkStage,
    publishControls,
    checkControls,
    syncMoves('sync-controls'),
    publishExecutable,
    checkExecutable,
    syncMoves('sync-executable'),
    removeStage,
  ],
  replace: [
    ...prepare,
    lockClass,
    checkCurrent,
    checkStage,
    hideExecutable,
    checkHiddenExecutable,
    syncMoves('sync-hidden-executable'),
    hideControls,
    checkHiddenControls,
    publishControls,
    checkControls,
    syncMoves('sync-controls'),
    publishExecutable,
    checkExecutable,
    syncMoves('sync-executable'),
    planRemoval,
    ...remove,
  ],
  uninstall: [
    lockClass,
    checkCurrent,
    makeStage,
    hideExecutable,
    checkHiddenExecutable,
    syncMoves('sync-hidden-executable'),
    hideControls,
    checkHiddenControls,
    { ...syncMoves('sync-hidden-controls'), commits: true },
    planRemoval,
    ...remove,
  ],
  cleanup: remove,
} as const satisfies Record<string, readonly Step<Work>[]>;

export type Changing = keyof typeof STEPS;
