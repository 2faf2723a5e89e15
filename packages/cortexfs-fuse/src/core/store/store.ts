import { closeSync, constants, fstatSync, openSync, readdirSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { O_PATH } from '@cortexfs/linux/o-path';
import { type InodeStat, statAt } from '@cortexfs/linux/stat-at';
import { DirectoryCache } from './directory-cache.ts';
import { identityOf } from './identity.ts';
import { Location } from './location.ts';

const PLACE = O_PATH | constants.O_NOFOLLOW;

/**
 * The backing tree. Every access goes from the descriptor of a directory to one name in it, so no symbolic link in
 * the store is ever followed and a renamed or replaced directory cannot lead elsewhere.
 */
export class Store {
  readonly root: Location;
  readonly #rootFd: number;
  readonly #directories: DirectoryCache;
  #looks: Look[] | undefined;

  constructor(source: string, cachedDirectories = 512) {
    this.#rootFd = openSync(source, O_PATH | constants.O_DIRECTORY);
    this.#directories = new DirectoryCache(cachedDirectories);
    this.root = new Location(undefined, '', identityOf(fstatSync(this.#rootFd, { bigint: true })));
  }

  /** A path to one name in a directory, for a system call that does not follow the last name. Use it at once. */
  entry(directory: Location, name: string): string {
    return `${this.descriptorPath(directory)}/${name}`;
  }

  /** A path to the directory itself. Use it at once. */
  descriptorPath(directory: Location): string {
    return pathOf(this.#descriptor(directory));
  }

  /** A request that `onlyLooks` changes nothing, so it sees each name once; another sees what it has done. */
  startRequest(onlyLooks: boolean): void {
    this.#looks = onlyLooks ? [] : undefined;
  }

  /** lstat of a name, undefined when it is absent. */
  find(directory: Location, name: string): InodeStat | undefined {
    const looks = this.#looks;
    const known = looks?.find((look) => look.name === name && look.directory === directory);
    if (known !== undefined) return known.stat;
    const stat = statAt(this.#descriptor(directory), name);
    if (looks !== undefined && looks.length < MOST_LOOKS) looks.push({ directory, name, stat });
    return stat;
  }

  /** lstat of the inode meant by a place; ESTALE when another one, or none, is there now. */
  stat(location: Location): InodeStat {
    const stat = location.parent
      ? this.find(location.parent, location.name)
      : fstatSync(this.#rootFd, { bigint: true });
    if (stat === undefined || identityOf(stat) !== location.identity) throw stale(location);
    return stat;
  }

  /** Runs `use` with an O_PATH descriptor of exactly the inode meant by a place, whatever its name is now. */
  pinned<T>(location: Location, use: (fd: number) => T): T {
    if (!location.parent) return use(this.#rootFd);
    const fd = openPlace(this.entry(location.parent, location.name), PLACE, location);
    try {
      return use(fd);
    } finally {
      closeSync(fd);
    }
  }

  /** A descriptor on the bytes of a regular file; the caller closes it. Never waits on a pipe, never touches a device. */
  open(location: Location, flags: number): number {
    return this.pinned(location, (fd) => {
      if (!fstatSync(fd).isFile()) throw new CortexError('EACCES', 'not a regular file', { layer: 'store' });
      return openSync(pathOf(fd), flags);
    });
  }

  /** Names and types below a directory, unsorted, without `.` and `..`. */
  list(directory: Location) {
    return readdirSync(this.descriptorPath(directory), { withFileTypes: true });
  }

  /** The directory is of no more use. */
  forget(location: Location): void {
    this.#directories.drop(location);
  }

  close(): void {
    this.#directories.clear();
    closeSync(this.#rootFd);
  }

  #descriptor(directory: Location): number {
    if (!directory.parent) return this.#rootFd;
    const known = this.#directories.get(directory);
    if (known !== undefined) return known;
    const fd = this.#walk(directory);
    this.#directories.put(directory, fd);
    return fd;
  }

  /** Opens the way down from the nearest directory that is open already. */
  #walk(directory: Location): number {
    const missing: Location[] = [];
    let at = directory;
    while (at.parent && !this.#directories.has(at)) {
      missing.push(at);
      at = at.parent;
    }
    let fd = this.#directories.get(at) ?? this.#rootFd;
    for (const [step, location] of missing.reverse().entries()) {
      const above = fd;
      try {
        fd = openPlace(`${pathOf(above)}/${location.name}`, PLACE | constants.O_DIRECTORY, location);
      } finally {
        if (step > 0) closeSync(above);
      }
    }
    return fd;
  }
}

interface Look {
  readonly directory: Location;
  readonly name: string;
  readonly stat: InodeStat | undefined;
}

/** The few that one request repeats come first; a search among many would cost more than it saves. */
const MOST_LOOKS = 16;

/** The way to an open descriptor's inode for system calls that take a path. */
export function pathOf(fd: number): string {
  return `/proc/self/fd/${fd}`;
}

function openPlace(path: string, flags: number, location: Location): number {
  const fd = openSync(path, flags);
  if (identityOf(fstatSync(fd, { bigint: true })) === location.identity) return fd;
  closeSync(fd);
  throw stale(location);
}

function stale(location: Location): CortexError {
  return new CortexError('ESTALE', 'it was replaced or removed in the store', {
    path: location.path(),
    layer: 'store',
  });
}
