import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { type ProviderName, parseObjectName } from '@cortexfs/abi/names';
import { fsyncDirectorySync, writeDurableSync } from './durable-write.ts';
import { codeOf } from './native.ts';

/**
 * Keys of providers: `secrets/provider/PROVIDER/SLOT`, files of mode 0600 in directories of mode 0700, all of one owner, none of
 * them a link (docs/models.md). Every step is taken on a held descriptor. No error tells anything of a key.
 */

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
export const DEFAULT_SLOT = 'default';
const MAX_KEY_BYTES = 8192;

/** The key, or undefined when there is none. EACCES when the file or a directory is not private. */
export function readSecret(
  secrets: string,
  provider: ProviderName,
  slot: string = DEFAULT_SLOT,
): string | undefined {
  return within(secrets, provider, false, (directory) => {
    const place = shown(provider, slot);
    const fd = openOrNone(`${directory}/${parseObjectName(slot)}`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, place);
    if (fd === undefined) return undefined;
    try {
      requirePrivate(fd, 0o600, place);
      const bytes = Buffer.alloc(MAX_KEY_BYTES + 1);
      return parseKey(bytes.toString('latin1', 0, readSync(fd, bytes)), place);
    } finally {
      closeSync(fd);
    }
  });
}

/** Replaces the key; the directories are made where they are missing. */
export function writeSecret(
  secrets: string,
  provider: ProviderName,
  key: string,
  slot: string = DEFAULT_SLOT,
): void {
  const place = shown(provider, slot);
  const checked = parseKey(key, place);
  try {
    mkdirSync(dirname(secrets), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fromNodeError(error, { path: dirname(secrets), layer: 'store' });
  }
  within(secrets, provider, true, (directory) => {
    try {
      writeDurableSync(`${directory}/${parseObjectName(slot)}`, `${checked}\n`, { mode: 0o600 });
    } catch (error) {
      throw fromNodeError(error, { path: place, layer: 'store' });
    }
  });
}

/** Whether there was one. */
export function removeSecret(secrets: string, provider: ProviderName, slot: string = DEFAULT_SLOT): boolean {
  const removed = within(secrets, provider, false, (directory) => {
    try {
      unlinkSync(`${directory}/${parseObjectName(slot)}`);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw fromNodeError(error, { path: shown(provider, slot), layer: 'store' });
    }
    fsyncDirectorySync(directory);
    return true;
  });
  return removed === true;
}

/** One line of visible ASCII, which is what fits into a header. A newline at its end is dropped. EINVAL otherwise. */
export function parseKey(content: string, place: string): string {
  const key = content.replace(/\r?\n$/, '');
  if (/^[\x21-\x7e]{1,8192}$/.test(key)) return key;
  throw new CortexError('EINVAL', 'the key is not one line of 1 to 8192 visible ASCII characters', {
    path: place,
    layer: 'format',
  });
}

/** Goes down to the provider's directory and hands on a path that means exactly the directory that is held. */
function within<T>(
  secrets: string,
  provider: ProviderName,
  create: boolean,
  act: (directory: string) => T,
): T | undefined {
  const held: number[] = [];
  try {
    let path = secrets;
    for (const name of ['provider', provider]) {
      const fd = openPrivate(path, create);
      if (fd === undefined) return undefined;
      held.push(fd);
      path = `/proc/self/fd/${fd}/${name}`;
    }
    const fd = openPrivate(path, create);
    if (fd === undefined) return undefined;
    held.push(fd);
    return act(`/proc/self/fd/${fd}`);
  } finally {
    for (const fd of held) closeSync(fd);
  }
}

function openPrivate(path: string, create: boolean): number | undefined {
  const place = path.startsWith('/proc/self/fd/') ? 'secrets/provider' : path;
  if (create) {
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw fromNodeError(error, { path: place, layer: 'store' });
    }
  }
  const fd = openOrNone(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, place);
  if (fd === undefined) return undefined;
  try {
    requirePrivate(fd, 0o700, place);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openOrNone(path: string, flags: number, place: string): number | undefined {
  try {
    return openSync(path, flags);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP' || code === 'ENOTDIR')
      throw refused('is a link, or not what belongs there', place, 'look at it, and remove it');
    throw fromNodeError(error, { path: place, layer: 'credentials' });
  }
}

function requirePrivate(fd: number, wanted: number, place: string): void {
  const stat = fstatSync(fd);
  const self = process.geteuid!();
  if (wanted === 0o600 && !stat.isFile()) throw refused('is not a regular file', place, 'remove it');
  if (stat.uid !== self) throw refused(`belongs to uid ${stat.uid}, not to uid ${self}`, place, 'chown it');
  const mode = stat.mode & 0o7777;
  if (mode !== wanted)
    throw refused(
      `has mode ${mode.toString(8)}, not ${wanted.toString(8)}`,
      place,
      `chmod ${wanted.toString(8)}`,
    );
}

function shown(provider: ProviderName, slot: string): string {
  return `secrets/provider/${provider}/${slot}`;
}

function refused(why: string, path: string, hint: string): CortexError {
  return new CortexError('EACCES', `the place of a key ${why}`, { path, layer: 'credentials', hint });
}
