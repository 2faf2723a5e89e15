import type { AgentFacts } from '@cortexfs/abi/authority/facts';
import type { Codec } from '@cortexfs/abi/controls/codec';
import { gid } from '@cortexfs/abi/controls/gid';
import { groups } from '@cortexfs/abi/controls/groups';
import { label } from '@cortexfs/abi/controls/label';
import { owner } from '@cortexfs/abi/controls/owner';
import { policy } from '@cortexfs/abi/controls/policy';
import { uid } from '@cortexfs/abi/controls/uid';
import { CortexError } from '@cortexfs/abi/errors';
import type { World } from '../world.ts';

/** An agent as its controls describe it; undefined when its Linux identity cannot be read, which grants nothing. */
export function agentFacts(world: World, name: string): AgentFacts | undefined {
  const load = <T>(control: string, codec: Codec<T>) =>
    world.controls.load(`agent/${name}.d`, control, codec);
  const identity = {
    owner: load('owner', owner),
    uid: load('uid', uid),
    gid: load('gid', gid),
    groups: load('groups', groups),
  };
  if (!isWhole(identity)) return undefined;
  return { name, ...identity, label: load('label', label), policy: load('policy', policy) };
}

function isWhole<T extends Record<string, unknown>>(
  facts: T,
): facts is { [K in keyof T]: Exclude<T[K], CortexError> } & T {
  return Object.values(facts).every((fact) => !(fact instanceof CortexError));
}
