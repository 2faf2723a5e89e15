import { setImmediate as turn } from 'node:timers/promises';
import { CortexError, describeError, fromNodeError } from '@cortexfs/abi/errors';
import { requireGoingOn, type Watcher } from './watcher.ts';

/** One thing that a command does to the store; either it happened or it did not. */
export interface Step<W> {
  readonly name: string;
  /** What it does, for the report of a dry run. */
  does(work: W): string;
  /** Steps without it are taken always. */
  applies?(work: W): boolean;
  run(work: W): void | Promise<void>;
  /** Takes it back as far as it happened, looking at what is there; also called when `run` itself failed. */
  undo?(work: W): void;
  /** From here on the command's outcome is the new one: what was done is not taken back. */
  readonly commits?: boolean;
}

/** What of a failed command is left to the user. */
export interface Remains {
  committed: boolean;
  /** What could not be taken back, as lines. */
  faults: readonly string[];
}

export class StepFailure extends CortexError {
  readonly remains: Remains;
  readonly step: string;

  constructor(error: CortexError, step: string, remains: Remains) {
    super(error.code, error.message, { ...error, cause: error });
    this.step = step;
    this.remains = remains;
  }
}

/**
 * Takes the steps one after the other. When one fails, those before it are taken back in reverse order, to the last
 * one that commits; StepFailure then tells what could not be.
 */
export async function takeSteps<W>(steps: readonly Step<W>[], work: W, watcher: Watcher = {}): Promise<void> {
  let taken: Step<W>[] = [];
  let committed = false;
  for (const step of stepsFor(steps, work)) {
    taken.push(step);
    try {
      await turn();
      if (!committed) requireGoingOn(watcher);
      await step.run(work);
    } catch (err) {
      throw new StepFailure(fromNodeError(err), step.name, { committed, faults: takeBack(taken, work) });
    }
    if (step.commits) {
      taken = [];
      committed = true;
    }
    await watcher.afterStep?.(step.name);
  }
}

export function stepsFor<W>(steps: readonly Step<W>[], work: W): readonly Step<W>[] {
  return steps.filter((step) => step.applies?.(work) ?? true);
}

function takeBack<W>(taken: readonly Step<W>[], work: W): string[] {
  return taken.toReversed().flatMap((step) => {
    try {
      step.undo?.(work);
      return [];
    } catch (err) {
      return [describeError(fromNodeError(err))];
    }
  });
}
