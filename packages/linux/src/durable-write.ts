import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** How the file looks when it appears. The process's umask plays no part. */
export interface DurableWriteOptions {
  /** Permission bits; 0o644 by default. */
  mode?: number;
  /** Only root may give a file to somebody else. */
  owner?: { uid: number; gid: number };
}

/** Temporary files begin with this; one that a crash left behind may be deleted at any time. */
export const TEMPORARY_PREFIX = '.cortexfs-write-';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_DIRECTORY } = constants;
const TEMPORARY_FLAGS = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;

/**
 * Replaces `path` by a file with exactly these bytes: whoever opens it sees the old or the new content whole, and once
 * the promise resolves the new one survives a power cut. A symlink at `path` is replaced, not followed.
 * To act below a held directory descriptor give `/proc/self/fd/N/NAME`. Throws Node's own errors; the old file then stays.
 */
export async function writeDurable(
  path: string,
  bytes: string | Uint8Array,
  options: DurableWriteOptions = {},
): Promise<void> {
  const temporary = temporaryFor(path);
  const file = await open(temporary, TEMPORARY_FLAGS, 0o600);
  try {
    try {
      await file.writeFile(bytes);
      if (options.owner) await file.chown(options.owner.uid, options.owner.gid);
      await file.chmod(options.mode ?? 0o644);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await fsyncDirectory(dirname(path));
}

/** The same, for code that may not yield: the mount serves its requests one after the other. */
export function writeDurableSync(
  path: string,
  bytes: string | Uint8Array,
  options: DurableWriteOptions = {},
): void {
  const temporary = temporaryFor(path);
  const fd = openSync(temporary, TEMPORARY_FLAGS, 0o600);
  try {
    try {
      writeWhole(fd, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
      if (options.owner) fchownSync(fd, options.owner.uid, options.owner.gid);
      fchmodSync(fd, options.mode ?? 0o644);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  fsyncDirectorySync(dirname(path));
}

/** Makes a symbolic link, also in place of what has the name: others find the old entry or the new link, never none. */
export function replaceLinkSync(path: string, target: string): void {
  const temporary = temporaryFor(path);
  try {
    symlinkSync(target, temporary);
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  fsyncDirectorySync(dirname(path));
}

/** Makes the names in a directory (creations, renames, deletions) survive a power cut. */
export async function fsyncDirectory(path: string): Promise<void> {
  const directory = await open(path, O_RDONLY | O_DIRECTORY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

export function fsyncDirectorySync(path: string): void {
  const fd = openSync(path, O_RDONLY | O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

// Not derived from the target's name, which may already have the greatest length that the file system allows.
function temporaryFor(path: string): string {
  return join(dirname(path), `${TEMPORARY_PREFIX}${randomBytes(8).toString('hex')}`);
}

function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Already renamed away or never there; the error that brought us here is the one to report.
  }
}
