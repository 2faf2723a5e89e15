import type { AgentFacts, MountFacts } from '@cortexfs/abi/authority/facts';
import { mountFactsAt } from '@cortexfs/abi/authority/mount-table';
import { gid } from '@cortexfs/abi/controls/gid';
import { groups } from '@cortexfs/abi/controls/groups';
import { label } from '@cortexfs/abi/controls/label';
import { type MountEntry, mount } from '@cortexfs/abi/controls/mount';
import { owner } from '@cortexfs/abi/controls/owner';
import { path } from '@cortexfs/abi/controls/path';
import { policy } from '@cortexfs/abi/controls/policy';
import { uid } from '@cortexfs/abi/controls/uid';
import { type ObjectName, parseObjectName } from '@cortexfs/abi/names';
import { agentControl, SANDBOX } from '@cortexfs/abi/paths';
import { loadControl, requireControl } from './controls.ts';

/** The agent in whose terminal this process runs, from its control files. */
export interface Agent {
  readonly facts: AgentFacts;
  /** The directories that its `path` control grants. */
  readonly path: readonly string[];
  readonly mounts: readonly MountEntry[];
}

/** The agent that the environment names; undefined for a person, who gets no agent's identity. */
export function agentName(env: NodeJS.ProcessEnv): ObjectName | undefined {
  const name = env['CTX_AGENT'];
  return name === undefined ? undefined : parseObjectName(name);
}

/** Reads the controls anew, so that a change takes effect at the next command. What grants something and is unusable grants nothing. */
export function loadAgent(root: string, name: ObjectName): Agent {
  const control = (file: string) => agentControl(name, file);
  return {
    facts: {
      name,
      owner: requireControl(root, control('owner'), owner),
      uid: requireControl(root, control('uid'), uid),
      gid: requireControl(root, control('gid'), gid),
      groups: requireControl(root, control('groups'), groups, []),
      label: loadControl(root, control('label'), label),
      policy: loadControl(root, control('policy'), policy),
    },
    path: requireControl(root, control('path'), path, []),
    mounts: requireControl(root, control('mount'), mount, []),
  };
}

/** How the agent's mounts show a path below the root. Its view is always there, read-only, unless its table covers it. */
export function mountFacts({ mounts }: Agent, relative: string): MountFacts {
  const view: MountEntry = { source: SANDBOX.root, target: SANDBOX.root, mode: 'ro', options: [] };
  return mountFactsAt([view, ...mounts], `${SANDBOX.root}/${relative}`);
}
