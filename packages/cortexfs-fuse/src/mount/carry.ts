import type { MountOptions } from '../arguments.ts';
import type { FileSystemOptions } from '../core/open.ts';
import type { Mount } from '../transport/mount.ts';
import { workerModule } from '../worker-module.ts';

/** Mounts by the transport that was chosen; only that one is loaded. */
export async function carry(options: MountOptions, log: (line: string) => void): Promise<Mount> {
  const { root, source, runtime, runner, allowOther, transport } = options;
  const fileSystem: FileSystemOptions = { source, runtime, runner, allowOther };
  if (transport === 'kernel') {
    const { mountKernel } = await import('../transport/kernel/kernel-mount.ts');
    return await mountKernel({ root, source, worker: workerModule, fileSystem, allowOther, log });
  }
  const { mountNative } = await import('../transport/native/native-mount.ts');
  const { openFileSystem } = await import('../core/open.ts');
  return await mountNative({ root, source, build: () => openFileSystem(fileSystem, log), allowOther, log });
}
