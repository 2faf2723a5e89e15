import { join, posix } from 'node:path';
import { runtimesOf } from '@cortexfs/abi/deployment';
import { credentialsOf } from '@cortexfs/linux/process';
import { ObjectLog } from './object-log.ts';
import { isOwnersRuntime, readOwnersFile } from './owners-directory.ts';
import { Runtime } from './runtime.ts';
import { readSmallFile } from './small-file.ts';

/** The runtime trees behind a mount: its own, and in the system deployment one of each user who owns agents. */
export class Runtimes {
  /** What the mount itself has to say of objects. */
  readonly logs: ObjectLog;
  readonly #root: string;
  readonly #self: number;
  readonly #own: Runtime;
  readonly #serves: boolean;

  /** `servesOthers`: agents of other users run for themselves, in places of their own. */
  constructor(root: string, self: number, servesOthers: boolean) {
    this.#root = root;
    this.logs = new ObjectLog(root);
    this.#self = self;
    this.#serves = servesOthers;
    this.#own = new Runtime((path) => readSmallFile(join(root, path)));
  }

  /** Where the receipts of an owner's agents are. */
  of(owner: number): Runtime {
    if (owner === this.#self || !this.#serves) return this.#own;
    return new Runtime(
      (path) => readOwnersFile(runtimesOf(owner), owner, path),
      (pid) => credentialsOf(pid)?.uid === owner,
    );
  }

  /** Whether a path, spelled plainly, lies below a runtime directory of its owner: only there are sockets that can be meant. */
  holds(owner: number, path: string): boolean {
    if (posix.normalize(path) !== path) return false;
    const [session, temporary] = runtimesOf(owner);
    if (isBelow(path, session) || (owner === this.#self && isBelow(path, this.#root))) return true;
    // Everybody can make names in /tmp, so this one has to be theirs already.
    return isBelow(path, temporary) && isOwnersRuntime(temporary, owner);
  }

  /** For messages. */
  placesOf(owner: number): string[] {
    return [...(owner === this.#self ? [this.#root] : []), ...runtimesOf(owner)];
  }
}

const isBelow = (path: string, directory: string) => path.startsWith(`${directory}/`);
