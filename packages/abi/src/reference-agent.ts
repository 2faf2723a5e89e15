import { gid } from './controls/gid.ts';
import { owner } from './controls/owner.ts';
import { root } from './controls/root.ts';
import { uid } from './controls/uid.ts';
import type { ObjectName } from './names.ts';
import { homeAgent } from './paths/object.ts';

export const REFERENCE_AGENTS = ['architect', 'coder', 'reviewer'] as const;

/** The user for whom reference agents are installed. */
export interface InstallingUser {
  uid: number;
  gid: number;
}

/**
 * The controls that a folder below agents/ leaves out because they depend on who installs it: `owner`, `uid`,
 * `gid` and `root`, each with its text (docs/agents.md). Everything else in the folder is copied as it is.
 */
export function installedControls(agent: ObjectName, user: InstallingUser): Record<string, string> {
  return {
    owner: owner.format(user.uid),
    uid: uid.format(user.uid),
    gid: gid.format(user.gid),
    root: root.format(`/ctx/${homeAgent(user.uid, agent)}/root`),
  };
}
