import { CortexError } from '@cortexfs/abi/errors';
import type { InstallableClass } from '@cortexfs/abi/manifest';
import { parseObjectName } from '@cortexfs/abi/names';
import { quoted } from '@cortexfs/abi/quote';
import type { Tier } from '@cortexfs/abi/receipt/object';
import type { Target } from '../object/target.ts';
import { type Arguments, type Grammar, misuse } from './arguments.ts';

/** `--tier`: user unless told otherwise. */
export function tierOf(args: Arguments, grammar: Grammar): Tier {
  const tier = args.value('--tier') ?? 'user';
  if (tier === 'user' || tier === 'system') return tier;
  throw misuse(grammar, `--tier must be user or system, got ${quoted(tier)}`);
}

/** `CLASS NAME --tier TIER`. */
export function targetOf(args: Arguments, grammar: Grammar): Target {
  const [objectClass = '', name = ''] = args.operands;
  if (!isInstallable(objectClass))
    throw misuse(grammar, `CLASS must be tool or agent, got ${quoted(objectClass)}`);
  return { class: objectClass, name: parseObjectName(name), tier: tierOf(args, grammar) };
}

/** An agent cannot be installed for a user alone: its home would stand at the same place. */
export function requireInstallable({ class: objectClass, name, tier }: Target): void {
  if (objectClass !== 'agent' || tier !== 'user') return;
  throw new CortexError('EINVAL', 'an agent of the user tier would stand where its own home stands', {
    path: `home/${process.geteuid!()}/agent/${name}`,
    layer: 'store',
    hint: '--tier system',
  });
}

function isInstallable(text: string): text is InstallableClass {
  return text === 'tool' || text === 'agent';
}
