import type { ObjectClass } from '@cortexfs/abi/controls/registry';
import { isObjectName } from '@cortexfs/abi/names';

/** One object: where its executable stands and what it is called. */
export interface ObjectPlace {
  readonly class: ObjectClass;
  /** `provider/model` for a model. */
  readonly name: string;
  /** The directory that holds it, relative to the root: `tool`, `model/debug`, `home/1000/tool`. */
  readonly directory: string;
  /** The executable's name in there. */
  readonly base: string;
}

export const executableOf = ({ directory, base }: ObjectPlace) => `${directory}/${base}`;
export const controlsOf = ({ directory, base }: ObjectPlace) => `${directory}/${base}.d`;

/** What a name in a class directory stands for; undefined for names that no object has, residue and receipts included. */
export function partOf(name: string): { base: string; part: 'exec' | 'socket' | 'controls' } | undefined {
  const [base, part] = name.endsWith('.sock')
    ? [name.slice(0, -5), 'socket' as const]
    : name.endsWith('.d')
      ? [name.slice(0, -2), 'controls' as const]
      : [name, 'exec' as const];
  return isObjectName(base) ? { base, part } : undefined;
}

export function objectIn(objectClass: ObjectClass, directory: string, base: string): ObjectPlace {
  const provider = objectClass === 'model' ? `${directory.slice(directory.lastIndexOf('/') + 1)}/` : '';
  return { class: objectClass, name: `${provider}${base}`, directory, base };
}
