import type { OpenFile } from '../file/regular.ts';
import type { Planned } from './tree.ts';

/** A residue on its way out of a class directory. */
export interface Removal {
  /** Its name in the class directory. */
  readonly name: string;
  /** Its directory, held open. */
  readonly top: OpenFile;
  /** Everything below it. */
  readonly planned: readonly Planned[];
  /** The name that it was put aside under. */
  quarantine?: string;
}
