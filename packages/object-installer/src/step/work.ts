import type { BigIntStats } from 'node:fs';
import { closeSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import type { Inode } from '@cortexfs/abi/receipt/inode';
import type { Candidate } from '../check/candidate.ts';
import type { OpenFile } from '../file/regular.ts';
import { type Installed, release } from '../object/installed.ts';
import type { Target } from '../object/target.ts';
import type { ClassDirectory } from '../place/class-directory.ts';
import type { Removal } from '../residue/removal.ts';
import type { Planned } from '../residue/tree.ts';

/** What the steps of one command share: what it is about, and what it holds open so far. */
export interface Work {
  readonly place: ClassDirectory;
  readonly target: Target;
  /** What is to be installed. */
  readonly candidate?: Candidate;
  /** What is installed. */
  readonly current?: Installed;
  /** Told the bytes copied so far, and how many there are; may throw to stop. */
  readonly watch?: (bytes: number, total: number) => void;
  stage?: Stage;
  /** What was made in the stage so far: exactly that is removed from it again. */
  written?: { executable?: Inode; controls?: Inode; files: Planned[] };
  /** The copy of the executable in the stage, verified, and later at its place. */
  executable?: OpenFile;
  /** The same of the controls. */
  controls?: OpenFile;
  /** The descriptor that holds the lock of the class directory. */
  lock?: number;
  /** What is taken away: the stage, or the residue that the user named. */
  removal?: Removal;
}

/** The private directory in which an object is prepared, or put away, on the file system of its place. */
export interface Stage {
  readonly name: string;
  readonly descriptor: number;
  readonly status: BigIntStats;
}

/** The names in a stage. */
export const STAGED = { executable: 'executable', controls: 'controls' } as const;
export const HIDDEN = { executable: 'old-executable', controls: 'old-controls' } as const;

export function held<T>(part: T | undefined): T {
  if (part === undefined) throw new CortexError('EIO', 'a step was taken before the one that it needs');
  return part;
}

/** Closes what the command held open of its place. The process's end would do it too. */
export function releaseWork(work: Work): void {
  const { candidate, current, stage, executable, controls, lock, removal } = work;
  for (const file of [candidate?.artifact, stage, executable, controls, removal?.top]) {
    if (file !== undefined) closeSync(file.descriptor);
  }
  if (lock !== undefined) closeSync(lock);
  if (current !== undefined) release(current);
}
