import type { Approval } from '@cortexfs/abi/controls/approval';
import type { Isolation } from '@cortexfs/abi/controls/iso';
import type { Life } from '@cortexfs/abi/controls/life';
import type { MountEntry } from '@cortexfs/abi/controls/mount';
import type { Parent } from '@cortexfs/abi/controls/parent';
import type { AgentStatus } from '@cortexfs/abi/controls/status';
import type { Window } from '@cortexfs/abi/controls/window';
import type { Label } from '@cortexfs/abi/label';
import type { ModelId, ObjectName } from '@cortexfs/abi/names';
import type { Policy } from '@cortexfs/abi/policy';

export type { AgentStatus };

/**
 * One agent's control files as they stood when they were read, each checked by its codec (docs/controls.md).
 * `system.md` and `prompt.template.md` are not part of it: they are read anew for every run. So is `policy` for
 * every decision; the one here is what the sandbox is built from.
 */
export interface AgentDefinition {
  readonly name: ObjectName;
  readonly owner: number;
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly label: Label;
  readonly iso: Isolation;
  readonly parent: Parent;
  readonly life: Life;
  /** `root`: the chroot that its processes see; the sandbox's own root stands in for it. */
  readonly root: string;
  /** Where processes start, as the agent sees it. */
  readonly cwd: string;
  /** Variables that its processes get, `step_timeout_s` taken out. */
  readonly env: ReadonlyMap<string, string>;
  readonly stepTimeoutSeconds: number;
  readonly path: readonly string[];
  readonly mount: readonly MountEntry[];
  /** `provider/model`, or an alias such as `main`. */
  readonly model: ModelId | ObjectName;
  /** Names that may be called directly; `tsh` is always callable and never among them. */
  readonly tools: readonly ObjectName[];
  readonly approval: Approval;
  readonly window: Window;
  readonly policy: Policy;
}
