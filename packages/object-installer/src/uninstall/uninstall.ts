import { closeSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import type { ObjectReceipt } from '@cortexfs/abi/receipt/object';
import { examine, examineControls, type Installed, pathOf } from '../object/installed.ts';
import type { Target } from '../object/target.ts';
import { ClassDirectory } from '../place/class-directory.ts';
import { holdingPlace } from '../place/held.ts';
import { plannedSteps, type StepLine } from '../report/steps.ts';
import { planEntries } from '../residue/tree.ts';
import { STEPS } from '../step/lists.ts';
import { takeSteps } from '../step/step.ts';
import { type Watcher, watchBytes } from '../step/watcher.ts';
import { releaseWork, type Work } from '../step/work.ts';

export interface Uninstallation {
  path: string;
  receipt: ObjectReceipt;
  /** In bytes; undefined when only the controls were left. */
  size: number | undefined;
  /** Of a dry run. */
  steps: StepLine[];
}

/**
 * Removes a managed object (docs/object-installer.md), also what an interrupted command left of one: its controls with their receipt.
 * The CortexFS version that it asked for plays no part.
 */
export async function uninstall(
  { source, target, yes }: { source: string; target: Target; yes: boolean },
  watcher: Watcher = {},
): Promise<Uninstallation> {
  const open = (store: number) => new ClassDirectory(store, target.tier, target.class);
  return await holdingPlace(source, open, async (place) => {
    const work: Work = { place, target, current: await verified(place, target, watcher) };
    try {
      return await remove(work, yes, watcher);
    } finally {
      releaseWork(work);
    }
  });
}

async function remove(work: Work, yes: boolean, watcher: Watcher): Promise<Uninstallation> {
  const { place, target, current } = work;
  const { receipt, controls, executable } = current!;
  const path = pathOf(place, target);
  // What could not be removed afterwards is told before anything is touched.
  planEntries(controls.descriptor, `${path}.d`);
  const steps = yes ? [] : plannedSteps(STEPS.uninstall, work);
  if (yes) await takeSteps(STEPS.uninstall, work, watcher);
  return { path, receipt, size: executable && Number(executable.status.size), steps };
}

async function verified(place: ClassDirectory, target: Target, watcher: Watcher): Promise<Installed> {
  try {
    return await examine(place, target, watchBytes(watcher, 'verifying'));
  } catch (err) {
    if (!(err instanceof CortexError) || err.code !== 'ESTALE') throw err;
    const left = examineControls(place, target);
    if (left.executable === undefined) return left;
    closeSync(left.controls.descriptor);
    closeSync(left.executable.descriptor);
    throw err;
  }
}
