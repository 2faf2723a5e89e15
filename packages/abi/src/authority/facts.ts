import type { CortexError } from '../errors.ts';
import type { Label } from '../label.ts';
import type { Policy, PolicyClass } from '../policy.ts';

/** A control's value, or why it could not be read. What cannot be read grants nothing. */
export type Loaded<T> = T | CortexError;

/** The agent that acts, from its control files. */
export interface AgentFacts {
  name: string;
  owner: number;
  uid: number;
  gid: number;
  groups: readonly number[];
  label: Loaded<Label>;
  policy: Loaded<Policy>;
}

/** The process that asks, as the kernel names it: a socket's peer, a request's credentials, or who will exec. */
export interface CallerFacts {
  uid: number;
  /** Whether uid 0 may ask for any agent (root's system socket); false for an agent's own sockets. */
  rootAllowed: boolean;
}

/** A file or directory as `fstat` of an opened descriptor tells. */
export interface FileFacts {
  uid: number;
  gid: number;
  /** Type bits may be set; only the permission bits count. */
  mode: number;
}

/** How the agent's mounts show the object (see authority/mount-table.ts). */
export interface MountFacts {
  visible: boolean;
  writable: boolean;
  noexec: boolean;
}

/** Everything that one decision depends on. Gathering it is the caller's work, deciding is not. */
export interface AuthorityRequest {
  agent: AgentFacts;
  caller: CallerFacts;
  class: PolicyClass;
  /** The object's identity: a name, for models `provider/model` after resolving aliases. */
  object: string;
  permission: string;
  /** Model aliases that resolve to the object: a rule for one of them grants the object too. */
  aliases?: readonly string[] | undefined;
  /** `missing` when there is no such file; `none` when the operation touches no file (never for tools and models). */
  file: FileFacts | 'missing' | 'none';
  /** `none` when the operation touches no file. */
  mount: MountFacts | 'none';
  /** The object's own policy: always for tools; `none` where the object has none. */
  objectPolicy: Loaded<Policy> | 'none';
  /** For a call by the model itself: the agent's `tools` control and where the tool was found. */
  direct?: DirectCall | undefined;
}

/** What a direct-native call needs beyond the permission. */
export interface DirectCall {
  /** The names in `agent/NAME.d/tools`. */
  declared: Loaded<readonly string[]>;
  /** The directories in `agent/NAME.d/path`. */
  path: Loaded<readonly string[]>;
  /** The directory that the executable stands in, as the agent sees it. */
  directory: string;
}
