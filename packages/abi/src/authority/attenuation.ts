import type { Approval } from '../controls/approval.ts';
import type { Life } from '../controls/life.ts';
import type { MountEntry } from '../controls/mount.ts';
import type { Window } from '../controls/window.ts';
import type { Label } from '../label.ts';
import type { Policy, PolicyRule } from '../policy.ts';
import { labelRefusals } from './attenuation/label.ts';
import { mountRefusals } from './attenuation/mounts.ts';
import { policyRefusals } from './attenuation/policy.ts';
import { settingRefusals } from './attenuation/settings.ts';

/** What a child may have less of than its parent, and never more (docs/children.md). */
export type Dimension =
  | 'identity'
  | 'policy'
  | 'groups'
  | 'mount'
  | 'window'
  | 'label'
  | 'tools'
  | 'path'
  | 'model'
  | 'approval'
  | 'life'
  | 'nesting'
  | 'children';

/** What attenuation compares of an agent. */
export interface Attenuated {
  readonly name: string;
  readonly owner: number;
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly iso: string;
  readonly label: Label;
  readonly life: Life;
  readonly path: readonly string[];
  /** Sources without links, as they are on the host. */
  readonly mount: readonly MountEntry[];
  readonly model: string;
  readonly tools: readonly string[];
  readonly approval: Approval;
  readonly window: Window;
  readonly policy: Policy;
}

export interface AttenuationRequest {
  readonly parent: Attenuated;
  readonly child: Attenuated;
  /** Whether the parent itself may run a tool: its own policy and the tool's both let it. */
  readonly mayRun: (tool: string) => boolean;
  /** Subjects of agents that are neither the parent nor children of it. */
  readonly takenSubjects: ReadonlySet<string>;
  /** How many parents there are above the child's parent. */
  readonly depth: number;
  /** How many children of the parent there are that count against its limit. */
  readonly children: number;
  /** What a supervisor gives the child beside what its parent has; nothing when an agent asks. */
  readonly granted?: Grants;
}

export interface Grants {
  readonly rules?: readonly Omit<PolicyRule, 'subject'>[];
  readonly groups?: readonly number[];
  readonly mounts?: readonly MountEntry[];
}

export interface Refusal {
  readonly dimension: Dimension;
  readonly reason: string;
}

/** Longest way down from the beginning of a lineage. */
export const MAX_NESTING = 8;
/** Most children of one agent that live at a time. */
export const MAX_LIVE_CHILDREN = 64;

/**
 * Everything in which a child would have more than its parent; nothing when it may be made. Pure: paths are compared as text,
 * so that sources of mounts have to be given without links.
 */
export function attenuationRefusals(request: AttenuationRequest): Refusal[] {
  return [
    ...settingRefusals(request),
    ...labelRefusals(request),
    ...policyRefusals(request),
    ...mountRefusals(request),
  ];
}
