import { ensureRuntimeDir } from '@cortexfs/linux/runtime-dir';
import { type ServiceState, tellServiceManager } from '@cortexfs/linux/service-manager';
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
  const tell = given.foreground ? serviceManager(log) : () => {};
  const stopped = stopOnSignals(mount, log, () => tell('STOPPING=1'));
  // As the paths were given: who asked for the mount compares them.
  await writeReceipt(given);
  tell('READY=1', `STATUS=serving ${given.root}`);
  const end = await mount.ended;
  tell('STOPPING=1');
  await removeReceipt(options.runtime);
  unlock();
  if (end.error !== undefined) throw end.error;
  return stopped.signal === 'SIGINT' ? 130 : 0;
}

/** Tells each thing once. A manager that does not listen must not end a mount that serves. */
function serviceManager(log: (line: string) => void): (...states: ServiceState[]) => void {
  const told = new Set<ServiceState>();
  return (...states) => {
    const news = states.filter((state) => !told.has(state));
    for (const state of news) told.add(state);
    try {
      if (news.length > 0) tellServiceManager(news);
    } catch (error) {
      log(`the service manager could not be told ${news.join(', ')}: ${(error as Error).message}`);
    }
  };
}

/** The first signal unmounts, also while the mount is in use; its users then get ENOTCONN. */
function stopOnSignals(
  mount: Mount,
  log: (line: string) => void,
  stopping: () => void,
): { signal?: NodeJS.Signals } {
  const stopped: { signal?: NodeJS.Signals } = {};
  const stop = async (signal: NodeJS.Signals) => {
    if (stopped.signal !== undefined) return;
    stopped.signal = signal;
    stopping();
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
