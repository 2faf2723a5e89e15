import { CortexError } from '@cortexfs/abi/errors';
import type { Manifest } from '@cortexfs/abi/manifest';
import type { ObjectReceipt } from '@cortexfs/abi/receipt/object';
import compare from 'semver/functions/compare.js';

export type Verb = 'replace' | 'upgrade' | 'rollback';

/** EINVAL unless the candidate may follow what is installed: only version 2 replaces, upgrade goes up, rollback down. */
export function requireOrder(verb: Verb, current: ObjectReceipt, candidate: Manifest): void {
  const next = candidate.compatibility?.version;
  if (next === undefined)
    throw refusal(`${verb} needs a manifest of cortexfs.object/v2, this is ${candidate.schema}`);
  if (verb === 'replace') return;
  const now = current.object_version;
  if (now === undefined)
    throw refusal(
      `what is installed has no version (${current.object_schema})`,
      'replace it: that has no order',
    );
  const order = compare(next, now);
  if (verb === 'upgrade' && order <= 0)
    throw refusal(`version ${next} is not higher than the installed ${now}`, other(order));
  if (verb === 'rollback' && order >= 0)
    throw refusal(`version ${next} is not lower than the installed ${now}`, other(order));
}

function other(order: number): string {
  if (order === 0) return 'replace takes a candidate of any version';
  return order > 0 ? 'upgrade goes to a higher version' : 'rollback goes to a lower version';
}

function refusal(why: string, hint?: string): CortexError {
  return new CortexError('EINVAL', why, { layer: 'manifest', hint });
}
