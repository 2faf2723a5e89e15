import { allows } from '@cortexfs/abi/policy';
import type { AgentDefinition } from '../definition/definition.ts';
import { type Step, words } from './step.ts';

/** Namespaces, capabilities and life-cycle: what is cut off before any path is mounted (docs/sandbox.md). */
export function isolation(definition: AgentDefinition): Step[] {
  return [
    words('--unshare-user', '--uid', `${definition.uid}`, '--gid', `${definition.gid}`, '--disable-userns'),
    words('--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup', '--hostname', 'cortexfs'),
    ...(mayConnect(definition) ? [] : [words('--unshare-net')]),
    words('--cap-drop', 'ALL'),
    // Without a session of its own it could type into the launcher's terminal.
    words('--new-session', '--die-with-parent'),
  ];
}

export function mayConnect({ policy, label }: AgentDefinition): boolean {
  return allows(policy, label.subject, 'network', 'default', 'connect');
}
