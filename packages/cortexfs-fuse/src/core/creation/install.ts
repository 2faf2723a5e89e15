import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { fsyncDirectorySync } from '@cortexfs/linux/durable-write';
import { renameNoReplace } from '@cortexfs/linux/rename';
import { metadataOf } from '../objects/metadata.ts';
import { objectIn } from '../objects/object.ts';
import { refuse } from '../refuse.ts';
import type { World } from '../world.ts';
import type { Skeleton } from './skeleton.ts';

/** What a crash leaves; an audit of residue reports it. */
const STAGE = '.ctx-rollback-';

/**
 * Puts a whole agent into the store: everything is written and synced under a name that is no object's, then its controls get
 * theirs and last its executable, which makes it visible. Whatever fails before that is taken back. In the store all of it
 * belongs to whom the mount runs as: users can reach a system store, and what they own there no codec would check.
 */
export function installAgent(world: World, skeleton: Skeleton): void {
  const { store, places } = world;
  const directory = places.directory('agent');
  if (directory === undefined)
    throw refuse('ENOENT', 'agent', 'the store has no agents', { hint: 'ctx bootstrap' });
  const at = (name: string) => store.entry(directory, name);
  const random = randomBytes(8).toString('hex');
  const [stage, executable] = [`${STAGE}${random}`, `${STAGE}${random}.exec`];
  let named = false;
  try {
    mkdirSync(at(stage), { mode: 0o700 });
    for (const [control, bytes] of skeleton.controls) writeNew(`${at(stage)}/${control}`, bytes, 0o644);
    fsyncDirectorySync(at(stage));
    chmodSync(at(stage), 0o755);
    writeNew(at(executable), metadataOf(world, objectIn('agent', 'agent', skeleton.name)), 0o755);
    renameNoReplace(at(stage), at(`${skeleton.name}.d`));
    named = true;
    renameNoReplace(at(executable), at(skeleton.name));
    fsyncDirectorySync(store.descriptorPath(directory));
  } catch (error) {
    takeBack(named ? () => renameNoReplace(at(`${skeleton.name}.d`), at(stage)) : () => {}, [
      at(stage),
      at(executable),
    ]);
    throw error;
  }
}

function writeNew(path: string, bytes: Buffer, mode: number): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    fchmodSync(fd, mode);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** What cannot be taken back stays under a name that an audit of residue reports. */
function takeBack(unname: () => void, paths: readonly string[]): void {
  try {
    unname();
    for (const path of paths) rmSync(path, { recursive: true, force: true });
  } catch {
    // The error that brought us here is the one to report.
  }
}
