import fc from 'fast-check';
import type { Test } from 'tap';

/** Asserts that a property holds, as one assertion that shows the counterexample when it does not. */
export function holds<Ts extends unknown[]>(t: Test, property: fc.IProperty<Ts>, numRuns = 200): void {
  const details = fc.check(property, { numRuns });
  if (details.failed) t.fail(fc.defaultReportMessage(details) ?? 'the property does not hold');
  else t.pass(`holds in ${details.numRuns} cases`);
}
