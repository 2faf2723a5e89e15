import { ensureRuntimeDir } from '@cortexfs/linux/runtime-dir';
import type { MountOptions } from '../arguments.ts';
import type { Mount } from '../transport/mount.ts';
import { carry } from './carry.ts';
import { checkDirectories } from './check.ts';
import { lockRuntime } from './lock.ts';
import { removeReceipt, requireNoOther, writeReceipt } from './receipt.ts';
import { offerPlain } from './without-fuse.ts';

/** Mounts, serves, and returns the exit code when the mount has ended. See docs/mount.md. */
export async function runMount(given: MountOptions, log: (line: string) => void): Promise<number> {
  ensureRuntimeDir(given.runtime);
  requireNoOther(given.runtime);
  const unlock = lockRuntime(given.runtime);
  const options = { ...given, ...(await checkDirectories(given)) };
  // Callers' umasks are applied by the kernel; ours must not be added. Nor may we stand in the way of an unmount.
  process.umask(0);
  process.chdir('/');
  const mount = await carry(options, log).catch(offerPlain);
  const stopped = stopOnSignals(mount, log);
  // As the paths were given: who asked for the mount compares them.
  await writeReceipt(given);
  const end = await mount.ended;
  await removeReceipt(options.runtime);
  unlock();
  if (end.error !== undefined) throw end.error;
  return stopped.signal === 'SIGINT' ? 130 : 0;
}

/** The first signal unmounts, also while the mount is in use; its users then get ENOTCONN. */
function stopOnSignals(mount: Mount, log: (line: string) => void): { signal?: NodeJS.Signals } {
  const stopped: { signal?: NodeJS.Signals } = {};
  const stop = async (signal: NodeJS.Signals) => {
    if (stopped.signal !== undefined) return;
    stopped.signal = signal;
    try {
      await mount.unmount();
    } catch (error) {
      log(`${signal}: ${(error as Error).message}; taking the mount away from its users`);
      await mount.detach();
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  process.on('SIGHUP', () => {});
  return stopped;
}
