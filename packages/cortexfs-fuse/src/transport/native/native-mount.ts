import { findHostProgram } from '@cortexfs/linux/host-program';
import type { FileSystem } from '../../core/file-system.ts';
import { requireDevice } from '../device.ts';
import type { Mount } from '../mount.ts';
import { prepareTarget } from '../mount-point/target.ts';
import { unmount } from '../mount-point/unmount.ts';
import { type NativeOptions, requirePossible } from './options.ts';
import { owner } from './owner.ts';
import { PathFileSystem } from './path-file-system.ts';
import { Session } from './session.ts';

export interface NativeMountOptions extends NativeOptions {
  /** Makes the file system, which is called on this thread. It is destroyed when the mount ends. */
  readonly build: () => FileSystem;
  readonly log: (line: string) => void;
}

/** Mounts through fuse-native and serves from this thread. Resolves when the mount answers (docs/transport.md). */
export async function mountNative(options: NativeMountOptions): Promise<Mount> {
  const root = await prepareTarget(options.root);
  requirePossible({ ...options, root });
  requireDevice();
  if (process.geteuid!() !== 0) findHostProgram('fusermount');
  const files = new PathFileSystem(options.build(), owner());
  const session = open(files, { ...options, root });
  const ended = session.ended.then((end) => {
    files.destroy();
    return end;
  });
  await session.ready;
  return {
    root,
    ended,
    async unmount() {
      await unmount(root);
      return ended;
    },
    async detach() {
      await unmount(root, { lazy: true });
      session.stop();
      return ended;
    },
  };
}

function open(files: PathFileSystem, options: NativeMountOptions): Session {
  try {
    return new Session(files, options, options.log);
  } catch (error) {
    files.destroy();
    throw error;
  }
}
