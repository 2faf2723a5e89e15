import { type BigIntStats, closeSync, fstatSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { sameInode } from '@cortexfs/abi/receipt/inode';
import type { ObjectReceipt } from '@cortexfs/abi/receipt/object';
import { openDirectory, statusOf } from '@cortexfs/linux/entry';
import { unchanged } from '../file/identity.ts';
import { readThrough } from '../file/read-through.ts';
import { type OpenFile, openRegular } from '../file/regular.ts';
import type { ClassDirectory } from '../place/class-directory.ts';
import { readReceipt } from './receipt-file.ts';
import { controlsName, isNeverInstalled, type Target } from './target.ts';

/** An installed object, verified. Its files stay held open, so that no other can get their inode numbers. */
export interface Installed {
  readonly receipt: ObjectReceipt;
  readonly controls: OpenFile;
  /** Undefined when an interrupted command left the controls alone. */
  readonly executable: OpenFile | undefined;
}

const EXECUTE_BITS = 0o111n;

/**
 * Verifies an installed object by its receipt, on held descriptors that follow no link: class, name and tier; inode
 * and kind of the control directory; inode, kind, execute bits and digest of the executable; and that nothing of it changed
 * meanwhile. ENOENT: nothing there; ENODATA: not managed; ESTALE: not what the receipt says.
 */
export async function examine(
  place: ClassDirectory,
  target: Target,
  watch?: (bytes: number, total: number) => void,
): Promise<Installed & { executable: OpenFile }> {
  const installed = examineControls(place, target);
  const { executable } = installed;
  try {
    if (executable === undefined) throw incomplete(place, target);
    const { size } = executable.status;
    const { sha256 } = await readThrough(executable.descriptor, {
      watch: (bytes) => watch?.(bytes, Number(size)),
    }).catch((err) => Promise.reject(fromNodeError(err, { path: pathOf(place, target) })));
    if (sha256 !== installed.receipt.executable.sha256) {
      throw stale(
        pathOf(place, target),
        `its bytes are not those of its receipt: they have the SHA-256 ${sha256}`,
      );
    }
    requireSame(place, target, installed);
    return { ...installed, executable };
  } catch (err) {
    release(installed);
    throw err;
  }
}

/** As `examine` without reading the executable, which may be missing. */
export function examineControls(place: ClassDirectory, target: Target): Installed {
  if (isNeverInstalled(target) || !place.exists) throw absent(place, target);
  const controls = openControls(place, target);
  let executable: OpenFile | undefined;
  try {
    const receipt = readReceipt(controls.descriptor, `${pathOf(place, target)}.d`);
    requireIdentity(place, target, receipt, controls.status);
    executable = openExecutable(place, target);
    if (executable !== undefined) requireExecutable(place, target, receipt, executable.status);
    return { receipt, controls, executable };
  } catch (err) {
    release({ controls, executable });
    throw err;
  }
}

/** ESTALE unless the names still stand for the files that were verified, and these are as they were. */
export function requireSame(
  place: ClassDirectory,
  target: Target,
  { controls, executable }: Installed,
): void {
  const path = pathOf(place, target);
  const now = statusOf(place.descriptor, controlsName(target.name));
  if (now === undefined || !sameInode(now, controls.status))
    throw stale(`${path}.d`, 'changed during the command');
  const file = statusOf(place.descriptor, target.name);
  if (executable === undefined) {
    if (file !== undefined) throw stale(path, 'appeared during the command');
    return;
  }
  const held = fstatSync(executable.descriptor, { bigint: true });
  if (file === undefined || !unchanged(executable.status, file) || !unchanged(executable.status, held))
    throw stale(path, 'changed during the command');
}

export function release({ controls, executable }: Pick<Installed, 'controls' | 'executable'>): void {
  closeSync(controls.descriptor);
  if (executable !== undefined) closeSync(executable.descriptor);
}

export const pathOf = (place: ClassDirectory, { name }: Target) => `${place.path}/${name}`;

export function stale(path: string, why: string): CortexError {
  return new CortexError('ESTALE', why, { path, layer: 'receipt' });
}

function openControls(place: ClassDirectory, target: Target): OpenFile {
  const path = pathOf(place, target);
  try {
    const descriptor = openDirectory(place.descriptor, controlsName(target.name));
    if (descriptor !== undefined) return { descriptor, status: fstatSync(descriptor, { bigint: true }) };
  } catch (err) {
    const error = fromNodeError(err);
    if (error.code !== 'ENOTDIR' && error.code !== 'ELOOP') throw fromNodeError(err, { path: `${path}.d` });
    throw new CortexError('ENODATA', 'is not managed: it is no directory', {
      path: `${path}.d`,
      layer: 'receipt',
    });
  }
  if (statusOf(place.descriptor, target.name) === undefined) throw absent(place, target);
  throw new CortexError('ENODATA', 'is not managed: it has no control directory', { path, layer: 'receipt' });
}

function openExecutable(place: ClassDirectory, target: Target): OpenFile | undefined {
  const path = pathOf(place, target);
  const before = statusOf(place.descriptor, target.name);
  if (before === undefined) return undefined;
  if (!before.isFile()) throw stale(path, 'is no regular file');
  try {
    return openRegular(place.descriptor, target.name);
  } catch (err) {
    throw fromNodeError(err, { path, layer: 'receipt' });
  }
}

function requireIdentity(
  place: ClassDirectory,
  target: Target,
  receipt: ObjectReceipt,
  controls: BigIntStats,
) {
  const path = `${pathOf(place, target)}.d`;
  const wrong = (['class', 'name', 'tier'] as const).find((field) => receipt[field] !== target[field]);
  if (wrong !== undefined) throw stale(path, `its receipt is about the ${wrong} ${receipt[wrong]}`);
  if (!sameInode(receipt.control, controls))
    throw stale(path, 'is another directory than the one of its receipt');
}

function requireExecutable(
  place: ClassDirectory,
  target: Target,
  receipt: ObjectReceipt,
  status: BigIntStats,
) {
  const path = pathOf(place, target);
  if (!sameInode(receipt.executable, status))
    throw stale(path, 'is another file than the one of its receipt');
  if ((status.mode & EXECUTE_BITS) === 0n) throw stale(path, 'has no execute bit');
}

function absent(place: ClassDirectory, target: Target): CortexError {
  return new CortexError('ENOENT', `no ${target.class} of that name is installed there`, {
    path: pathOf(place, target),
    layer: 'store',
  });
}

function incomplete(place: ClassDirectory, target: Target): CortexError {
  return new CortexError('ESTALE', 'has controls but no executable: a command was interrupted', {
    path: pathOf(place, target),
    layer: 'receipt',
    hint: `object-installer uninstall ${target.class} ${target.name} --tier ${target.tier} --yes, and look at: object-installer residue audit`,
  });
}
