import { closeSync, fstatSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import type { InstallableClass } from '@cortexfs/abi/manifest';
import { parseObjectName } from '@cortexfs/abi/names';
import { type Inode, sameInode } from '@cortexfs/abi/receipt/inode';
import { openDirectory, statusOf } from '@cortexfs/linux/entry';
import { tryLock } from '@cortexfs/linux/flock';
import type { OpenFile } from '../file/regular.ts';
import { ClassDirectory } from '../place/class-directory.ts';
import { holdingPlace } from '../place/held.ts';
import { plannedSteps, type StepLine } from '../report/steps.ts';
import { STEPS } from '../step/lists.ts';
import { takeSteps } from '../step/step.ts';
import type { Watcher } from '../step/watcher.ts';
import { releaseWork, type Work } from '../step/work.ts';
import { cleanupPlace } from './names.ts';
import { countPlanned, planEntries } from './tree.ts';

export interface CleanupOptions {
  source: string;
  /** Of the residue, below the store, and the inode that the audit told. */
  path: string;
  inode: Inode;
  yes: boolean;
}

export interface Cleanup {
  /** The entries below the residue, which are planned to go, or went. */
  entries: number;
  /** Of a dry run. */
  steps: StepLine[];
}

/** Removes the residue of one stopped installation, exactly the one that was named (docs/object-installer.md). */
export async function cleanup(options: CleanupOptions, watcher: Watcher = {}): Promise<Cleanup> {
  const { source, path, inode, yes } = options;
  const where = cleanupPlace(path);
  if (where === undefined) throw ineligible(path);
  const open = (store: number) => openPlace(store, where.directory);
  return await holdingPlace(source, open, async (place) => {
    const top = openResidue(place, where.name, path, inode);
    const work = cleanupWork(place, where.name, path, top);
    try {
      const entries = countPlanned(work.removal!.planned);
      const steps = yes ? [] : plannedSteps(STEPS.cleanup, work);
      if (yes) await takeSteps(STEPS.cleanup, work, watcher);
      return { entries, steps };
    } finally {
      releaseWork(work);
    }
  });
}

function openPlace(store: number, directory: string): ClassDirectory {
  const parts = directory.split('/');
  const objectClass = parts.at(-1) as InstallableClass;
  const place =
    parts.length === 1
      ? new ClassDirectory(store, 'system', objectClass)
      : new ClassDirectory(store, 'user', objectClass, Number(parts[1]));
  if (place.exists) return place;
  throw new CortexError('ENOENT', 'does not exist', { path: directory, layer: 'store' });
}

function openResidue(place: ClassDirectory, name: string, path: string, inode: Inode): OpenFile {
  const there = statusOf(place.descriptor, name);
  if (there === undefined) throw new CortexError('ENOENT', 'does not exist', { path, layer: 'store' });
  if (!sameInode(there, inode)) throw otherInode(path, there);
  if (!there.isDirectory()) throw new CortexError('ENOTDIR', 'is no directory: look at it by hand', { path });
  const descriptor = openDirectory(place.descriptor, name);
  if (descriptor === undefined) throw new CortexError('ENOENT', 'does not exist', { path, layer: 'store' });
  const status = fstatSync(descriptor, { bigint: true });
  if (sameInode(status, inode)) return { descriptor, status };
  closeSync(descriptor);
  throw otherInode(path, status);
}

function cleanupWork(place: ClassDirectory, name: string, path: string, top: OpenFile): Work {
  try {
    if (!tryLock(top.descriptor)) {
      throw new CortexError('EBUSY', 'an installer is at work in it', {
        path,
        layer: 'store',
        hint: 'try again when it is done',
      });
    }
    const removal = { name, top, planned: planEntries(top.descriptor, path) };
    return { place, target: NOBODY, removal };
  } catch (err) {
    closeSync(top.descriptor);
    throw err;
  }
}

/** A cleanup is about a directory, not about an object. */
const NOBODY = { class: 'tool', name: parseObjectName('residue'), tier: 'system' } as const;

function otherInode(path: string, { dev, ino }: Inode): CortexError {
  return new CortexError('ESTALE', `is another one than that: it has --dev ${dev} --ino ${ino}`, {
    path,
    layer: 'receipt',
    hint: 'object-installer residue audit, and look before you take its numbers',
  });
}

function ineligible(path: string): CortexError {
  return new CortexError(
    'EINVAL',
    'is no residue of an installation in a class directory: only these are removed',
    {
      path,
      layer: 'path',
      hint: 'the others are for you to look at; .cortexfs-install-* below tool, agent, home/UID/tool and home/UID/agent can be given',
    },
  );
}
