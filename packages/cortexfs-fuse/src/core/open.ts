import { checkRunner } from '@cortexfs/abi/object-metadata';
import { ControlReader } from './controls/reader.ts';
import { Staging } from './controls/staging.ts';
import { CortexFileSystem } from './cortex-file-system.ts';
import { Skeletons } from './creation/skeletons.ts';
import type { FileSystem } from './file-system.ts';
import { Digests } from './installed/digests.ts';
import { NodeTable } from './node/table.ts';
import { Runtimes } from './runtime/runtimes.ts';
import { Places } from './store/places.ts';
import { Store } from './store/store.ts';

export interface FileSystemOptions {
  /** The store's directory. */
  source: string;
  /** The runtime directory of the same deployment. */
  runtime: string;
  /** Absolute path of the interpreter that executables name. */
  runner: string;
  /** Whether other users may use the mount. */
  allowOther?: boolean;
}

/** The file system over a store (docs/mount.md). The process's umask must be 0: callers' masks are applied by the kernel. */
export function openFileSystem(
  { source, runtime: runtimeDirectory, runner, allowOther = false }: FileSystemOptions,
  log: (line: string) => void = () => {},
): FileSystem {
  checkRunner(runner);
  const store = new Store(source);
  const places = new Places(store);
  const self = { uid: process.geteuid!(), gid: process.getegid!() };
  const runtimes = new Runtimes(runtimeDirectory, self.uid, allowOther);
  return new CortexFileSystem({
    store,
    places,
    runner,
    allowOther,
    nodes: new NodeTable(),
    controls: new ControlReader(store, places),
    staging: new Staging(),
    skeletons: new Skeletons(),
    runtimes,
    formerOwners: new Map(),
    digests: new Digests(),
    report(objectClass, name, line) {
      if (runtimes.logs.add(objectClass, name, line)) log(line);
    },
    self,
    since: BigInt(Date.now()) * 1_000_000n,
  });
}
