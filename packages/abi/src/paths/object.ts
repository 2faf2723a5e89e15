import type { ModelName, ObjectName, ProviderName, SpaceName } from '../names.ts';

/** What `ls /ctx` shows, in name order; nothing else is ever listed. */
export const ROOT_ENTRIES = ['agent', 'bin', 'home', 'model', 'shared', 'status', 'tool'] as const;

/** The root's `status` file: one line, `ready`. */
export const STATUS = 'status';

// Paths below are relative to the root of the mount and of the store, without a leading slash.

export const agentExec = (name: ObjectName) => `agent/${name}`;
export const agentSocket = (name: ObjectName) => `agent/${name}.sock`;
export const agentControls = (name: ObjectName) => `agent/${name}.d`;
export const agentControl = (name: ObjectName, control: string) => `agent/${name}.d/${control}`;

export const toolExec = (name: ObjectName) => `tool/${name}`;
export const toolControls = (name: ObjectName) => `tool/${name}.d`;
export const toolControl = (name: ObjectName, control: string) => `tool/${name}.d/${control}`;

export const modelProvider = (provider: ProviderName) => `model/${provider}`;
export const modelExec = ({ provider, model }: ModelName) => `model/${provider}/${model}`;
export const modelSocket = (name: ModelName) => `${modelExec(name)}.sock`;
export const modelControls = (name: ModelName) => `${modelExec(name)}.d`;
export const modelControl = (name: ModelName, control: string) => `${modelExec(name)}.d/${control}`;
/** A symbolic link such as `model/main`. */
export const modelAlias = (name: ObjectName) => `model/${name}`;

/** `hooks/pre.d` or `hooks/post.d` in the control directory of an agent or tool. */
export const hookDirectory = (controls: string, phase: 'pre' | 'post') => `${controls}/hooks/${phase}.d`;
/** The record of an installation, hidden from the mount. */
export const OBJECT_RECEIPT = '.cortexfs-receipt.json';
export const installReceipt = (controls: string) => `${controls}/${OBJECT_RECEIPT}`;
/** Unlisted, beside installed objects in the mount: from here the runner executes their artifacts. */
export const EXEC_PLACE = '.exec';

export const binary = (name: string) => `bin/${name}`;

export const home = (uid: number) => `home/${uid}`;
/** An agent's own home, `/home/agent` in its sandbox. */
export const homeAgent = (uid: number, agent: ObjectName) => `home/${uid}/agent/${agent}`;
export const homeTool = (uid: number, tool: ObjectName) => `home/${uid}/tool/${tool}`;
export const homeModel = (uid: number, alias: ObjectName) => `home/${uid}/model/${alias}`;
export const sharedSpace = (space: SpaceName) => `shared/${space}`;

/** What one agent sees: an unlisted subtree that its sandbox binds as /ctx. */
export const view = (agent: ObjectName) => `.view/${agent}`;
