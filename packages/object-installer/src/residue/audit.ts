import { type BigIntStats, closeSync, fstatSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import type { InstallableClass } from '@cortexfs/abi/manifest';
import { isObjectName, type ObjectName } from '@cortexfs/abi/names';
import type { Inode } from '@cortexfs/abi/receipt/inode';
import type { Tier } from '@cortexfs/abi/receipt/object';
import { openDirectory, statusOf } from '@cortexfs/linux/entry';
import { codeOf } from '@cortexfs/linux/native';
import { inodeOf } from '../file/identity.ts';
import { readReceipt } from '../object/receipt-file.ts';
import { openStore } from '../place/store.ts';
import { cleanupPlace, type ResidueKind, residueKind } from './names.ts';
import { entriesIn, MAX_DEPTH, MAX_ENTRIES } from './tree.ts';

export interface Residue {
  /** Below the store; bytes that are no UTF-8 are replaced. */
  path: string;
  kind: ResidueKind;
  type: 'directory' | 'file' | 'symlink' | 'other';
  inode: Inode;
  /** Whether `residue cleanup` takes it. */
  removable: boolean;
}

/** Controls with their receipt whose executable a stopped command took away or did not put there yet. */
export interface Incomplete {
  path: string;
  class: InstallableClass;
  name: ObjectName;
  tier: Tier;
  inode: Inode;
}

export interface Audit {
  residue: Residue[];
  incomplete: Incomplete[];
  /** How many entries were looked at. */
  entries: number;
}

/**
 * Walks the whole store without following anything, at most 64 levels and 100,000 entries on one device, and tells what stopped
 * commands left. Fails whole where it cannot look: EACCES, EXDEV, EFBIG. What it tells grants nothing.
 */
export function audit(source: string, limit = MAX_ENTRIES): Audit {
  const store = openStore(source);
  const found: Audit = { residue: [], incomplete: [], entries: 0 };
  try {
    walk(store, '', 1, fstatSync(store, { bigint: true }).dev, limit, found);
    return found;
  } finally {
    closeSync(store);
  }
}

function walk(
  directory: number,
  path: string,
  depth: number,
  dev: bigint,
  limit: number,
  found: Audit,
): void {
  const entries = reading(path, () => entriesIn(directory, path || '.', { left: limit - found.entries }));
  found.entries += entries.length;
  for (const { name: bytes, leaf } of entries) {
    const name = bytes.toString();
    const kind = residueKind(name);
    // Neither residue nor anything below it: not worth a look.
    if (leaf && kind === undefined) continue;
    const where = path === '' ? name : `${path}/${name}`;
    const status = reading(where, () => statusOf(directory, bytes));
    // Gone since the directory was read: nothing that stays behind.
    if (status === undefined) continue;
    if (status.dev !== dev) throw refusal('EXDEV', where, 'lies on another device');
    if (kind !== undefined) found.residue.push(residueOf(where, kind, status));
    if (!status.isDirectory()) continue;
    if (depth === MAX_DEPTH) throw refusal('EFBIG', where, `lies deeper than ${MAX_DEPTH} levels`);
    const below = open(directory, bytes, where);
    if (below === undefined) continue;
    try {
      const left = incompleteAt(directory, below, where);
      if (left !== undefined) found.incomplete.push(left);
      walk(below, where, depth + 1, dev, limit, found);
    } finally {
      closeSync(below);
    }
  }
}

function residueOf(path: string, kind: ResidueKind, status: BigIntStats): Residue {
  return {
    path,
    kind,
    type: typeOf(status),
    inode: inodeOf(status),
    removable: kind === 'install' && status.isDirectory() && cleanupPlace(path) !== undefined,
  };
}

const CONTROLS = /^(?:home\/(?<uid>[0-9]+)\/)?(?<class>tool|agent)\/(?<name>[^/]+)\.d$/;

function incompleteAt(directory: number, controls: number, path: string): Incomplete | undefined {
  const parts = CONTROLS.exec(path)?.groups;
  const name = parts?.['name'] ?? '';
  if (parts === undefined || !isObjectName(name)) return undefined;
  const tier = parts['uid'] === undefined ? 'system' : 'user';
  const status = fstatSync(controls, { bigint: true });
  try {
    const receipt = readReceipt(controls, path);
    const ours = receipt.name === name && receipt.class === parts['class'] && receipt.tier === tier;
    if (!ours || receipt.control.ino !== status.ino || statusOf(directory, name) !== undefined)
      return undefined;
    return { path, class: receipt.class, name, tier, inode: inodeOf(status) };
  } catch (err) {
    // Controls that no installer wrote are none of its business; neither is what another user's receipt may say.
    if (err instanceof CortexError && (err.code === 'ENODATA' || err.code === 'EACCES')) return undefined;
    throw err;
  }
}

function open(directory: number, name: Uint8Array, path: string): number | undefined {
  try {
    return reading(path, () => openDirectory(directory, name));
  } catch (err) {
    // Exchanged for something else since.
    if (codeOf(err) === 'ENOTDIR' || codeOf(err) === 'ELOOP') return undefined;
    throw err;
  }
}

function reading<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (err) {
    throw fromNodeError(err, { path: path || '.', layer: 'store' });
  }
}

function typeOf(status: BigIntStats): Residue['type'] {
  if (status.isDirectory()) return 'directory';
  if (status.isSymbolicLink()) return 'symlink';
  return status.isFile() ? 'file' : 'other';
}

function refusal(code: 'EXDEV' | 'EFBIG', path: string, why: string): CortexError {
  return new CortexError(code, `${why}: nothing is reported rather than a part`, { path, layer: 'store' });
}
