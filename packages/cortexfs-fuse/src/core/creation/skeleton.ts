import { codecFor, controlEntry, controlNames } from '@cortexfs/abi/controls/registry';
import { withContext } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import { decodeText } from '../controls/text.ts';
import type { RequestContext } from '../file-system.ts';
import { refuse } from '../refuse.ts';

/** An agent that somebody is making: its controls, in memory, until it is whole (docs/mount.md, "Making an agent"). */
export class Skeleton {
  readonly name: ObjectName;
  /** Who makes it will own it. */
  readonly maker: Maker;
  readonly controls = new Map<string, Buffer>();

  constructor(name: ObjectName, context: RequestContext) {
    this.name = name;
    this.maker = { uid: context.uid, gid: context.gid, groups: [...context.groups()] };
    for (const [control, text] of Object.entries(defaultsFor(name, this.maker)))
      this.controls.set(control, Buffer.from(text));
  }

  get path(): string {
    return `agent/${this.name}.d`;
  }

  /** Its maker and uid 0 see it; for everybody else it is not there. */
  isFor({ uid }: Pick<RequestContext, 'uid'>): boolean {
    return uid === this.maker.uid || uid === 0;
  }

  value(control: string): unknown {
    const bytes = this.controls.get(control);
    return bytes && codecFor('agent', control)?.parse(decodeText(bytes));
  }

  /** Required controls that have not been written yet. */
  missing(): string[] {
    return controlNames('agent').filter(
      (name) => controlEntry('agent', name)?.required && !this.controls.has(name),
    );
  }

  /** Throws unless the bytes are a value of the control. */
  check(control: string, bytes: Buffer): void {
    try {
      this.codec(control).parse(decodeText(bytes));
    } catch (error) {
      throw withContext(error as Parameters<typeof withContext>[0], { path: `${this.path}/${control}` });
    }
  }

  /** The codec of a control that can be written; EPERM for a name that is none, EROFS for what the runtime shows. */
  codec(control: string) {
    const entry = controlEntry('agent', control);
    const path = `${this.path}/${control}`;
    if (entry === undefined)
      throw refuse('EPERM', path, 'not a control of agent objects', { layer: 'control' });
    if (entry.writer === 'nobody')
      throw refuse('EROFS', path, 'this control is a projection that nobody writes', { layer: 'control' });
    return entry.codec;
  }
}

export interface Maker {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

/**
 * What follows from who makes it. What it may do and what it is for (label, parent, path, model, abi, policy) has no default: an
 * agent is whole only when somebody has said it.
 */
function defaultsFor(name: string, { uid, gid }: Maker): Record<string, string> {
  return {
    owner: `${uid}\n`,
    uid: `${uid}\n`,
    gid: `${gid}\n`,
    groups: '',
    iso: 'shared\n',
    life: 'owned\n',
    root: `/ctx/home/${uid}/agent/${name}/root\n`,
    cwd: '/workspace\n',
    env: '',
    mount: '',
    window: 'auto\n',
  };
}
