import type { Tier } from '@cortexfs/abi/receipt/object';
import { parseObjectReceipt } from '@cortexfs/abi/receipt/object';
import { type Candidate, type InvalidCandidate, openCandidate } from '../check/candidate.ts';
import { requireInstallable } from '../command/tier.ts';
import { pathOf } from '../object/installed.ts';
import { ClassDirectory } from '../place/class-directory.ts';
import { holdingPlace } from '../place/held.ts';
import type { ObjectFacts } from '../report/object.ts';
import { plannedSteps, type StepLine } from '../report/steps.ts';
import { receiptText } from '../step/controls.ts';
import { STEPS } from '../step/lists.ts';
import { requireFree } from '../step/lock.ts';
import { takeSteps } from '../step/step.ts';
import { type Watcher, watchBytes } from '../step/watcher.ts';
import { releaseWork, type Work } from '../step/work.ts';

export interface InstallOptions {
  source: string;
  manifest: string;
  tier: Tier;
  dryRun: boolean;
}

export type Installation =
  | InvalidCandidate
  | { valid: true; done: true; object: ObjectFacts }
  | {
      valid: true;
      done: false;
      candidate: Pick<Candidate, 'manifest' | 'size'>;
      path: string;
      steps: StepLine[];
    };

/** Installs a new object whole or not at all (docs/object-installer.md). */
export async function install(options: InstallOptions, watcher: Watcher = {}): Promise<Installation> {
  const candidate = await openCandidate(options.manifest, {
    digest: options.dryRun,
    watch: watchBytes(watcher, 'checking'),
  });
  if (!candidate.valid) return candidate;
  const { class: objectClass, name } = candidate.manifest;
  const target = { class: objectClass, name, tier: options.tier };
  const open = (store: number) => {
    requireInstallable(target);
    return new ClassDirectory(store, options.tier, objectClass);
  };
  return await holdingPlace(options.source, open, async (place) => {
    const work: Work = { place, target, candidate, watch: watchBytes(watcher, 'copying') };
    try {
      requireFree(work);
      const path = pathOf(place, target);
      if (options.dryRun)
        return { valid: true, done: false, candidate, path, steps: plannedSteps(STEPS.install, work) };
      await takeSteps(STEPS.install, work, watcher);
      return { valid: true, done: true, object: installedFacts(work, path) };
    } finally {
      releaseWork(work);
    }
  });
}

/** What a command that put a candidate in its place installed. */
export function installedFacts(work: Work, path: string): ObjectFacts {
  return { path, receipt: parseObjectReceipt(receiptText(work)), size: work.candidate!.size };
}
