import type { ObjectReceipt, Tier } from '@cortexfs/abi/receipt/object';
import { type Candidate, type InvalidCandidate, openCandidate } from '../check/candidate.ts';
import { installedFacts } from '../install/install.ts';
import { examine, pathOf } from '../object/installed.ts';
import { ClassDirectory } from '../place/class-directory.ts';
import { holdingPlace } from '../place/held.ts';
import type { ObjectFacts } from '../report/object.ts';
import { plannedSteps, type StepLine } from '../report/steps.ts';
import { planEntries } from '../residue/tree.ts';
import { STEPS } from '../step/lists.ts';
import { takeSteps } from '../step/step.ts';
import { type Watcher, watchBytes } from '../step/watcher.ts';
import { releaseWork, type Work } from '../step/work.ts';
import { requireOrder, type Verb } from './order.ts';

export interface ReplaceOptions {
  verb: Verb;
  source: string;
  manifest: string;
  tier: Tier;
  yes: boolean;
}

export type Replacement =
  | InvalidCandidate
  | { valid: true; done: true; object: ObjectFacts; previous: ObjectReceipt }
  | {
      valid: true;
      done: false;
      candidate: Pick<Candidate, 'manifest' | 'size'>;
      path: string;
      previous: ObjectReceipt;
      steps: StepLine[];
    };

/** Exchanges a managed object for a candidate (docs/object-installer.md): hides the old one, publishes the new one, or goes back. */
export async function replace(options: ReplaceOptions, watcher: Watcher = {}): Promise<Replacement> {
  const { manifest: file, yes, tier, source } = options;
  const candidate = await openCandidate(file, { digest: !yes, watch: watchBytes(watcher, 'checking') });
  if (!candidate.valid) return candidate;
  const { class: objectClass, name } = candidate.manifest;
  const target = { class: objectClass, name, tier };
  const open = (store: number) => new ClassDirectory(store, tier, objectClass);
  return await holdingPlace(source, open, async (place) => {
    const current = await examine(place, target, watchBytes(watcher, 'verifying'));
    const work: Work = { place, target, candidate, current, watch: watchBytes(watcher, 'copying') };
    try {
      return await exchange(work, options, watcher);
    } finally {
      releaseWork(work);
    }
  });
}

async function exchange(work: Work, { verb, yes }: ReplaceOptions, watcher: Watcher): Promise<Replacement> {
  const { place, target, candidate, current } = work;
  const previous = current!.receipt;
  const path = pathOf(place, target);
  requireOrder(verb, previous, candidate!.manifest);
  // What could not be removed afterwards is told before anything is touched.
  planEntries(current!.controls.descriptor, `${path}.d`);
  if (!yes) {
    const steps = plannedSteps(STEPS.replace, work);
    return { valid: true, done: false, candidate: candidate!, path, previous, steps };
  }
  await takeSteps(STEPS.replace, work, watcher);
  return { valid: true, done: true, object: installedFacts(work, path), previous };
}
