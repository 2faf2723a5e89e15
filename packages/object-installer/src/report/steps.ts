import type { Step } from '../step/step.ts';
import { stepsFor } from '../step/step.ts';
import type { Work } from '../step/work.ts';

export interface StepLine {
  name: string;
  does: string;
}

/** The steps that the command would take, in order. */
export function plannedSteps(steps: readonly Step<Work>[], work: Work): StepLine[] {
  return stepsFor(steps, work).map((step) => ({ name: step.name, does: step.does(work) }));
}

export function stepLines(steps: readonly StepLine[]): string[] {
  return steps.map(({ name, does }, index) => `  ${String(index + 1).padStart(2)} ${name}: ${does}`);
}
