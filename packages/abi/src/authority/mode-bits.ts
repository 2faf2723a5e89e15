import type { AgentFacts, FileFacts } from './facts.ts';

export type FileAccess = 'read' | 'write' | 'execute';

const BIT: Readonly<Record<FileAccess, number>> = { read: 4, write: 2, execute: 1 };

/**
 * Linux's own rule: the first of owner, group and others that fits decides. uid 0 gets no exception,
 * because an agent's processes hold no capability.
 */
export function modeAllows(
  who: Pick<AgentFacts, 'uid' | 'gid' | 'groups'>,
  file: FileFacts,
  access: FileAccess,
): boolean {
  return ((file.mode >> shiftFor(who, file)) & BIT[access]) !== 0;
}

function shiftFor(who: Pick<AgentFacts, 'uid' | 'gid' | 'groups'>, file: FileFacts): number {
  if (who.uid === file.uid) return 6;
  return who.gid === file.gid || who.groups.includes(file.gid) ? 3 : 0;
}
