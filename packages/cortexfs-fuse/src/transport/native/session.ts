import { readdirSync, readlinkSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { HOST_DIRECTORIES } from '@cortexfs/linux/host-program';
import type { MountEnd } from '../mount.ts';
import { type Addon, loadAddon } from './addon.ts';
import { handlersFor } from './handlers.ts';
import { libfuseOptions, type NativeOptions } from './options.ts';
import type { PathFileSystem } from './path-file-system.ts';

const LOOK_EVERY_MS = 200;

/** What the add-on's threads use as long as the process lives; it may never be collected. */
const memory: unknown[] = [];

/** libfuse's threads at work for one mount: the time from the mount to the end of the connection to the kernel. */
export class Session {
  /** The kernel has accepted the handshake. */
  readonly ready: Promise<void>;
  /** The connection is over. Never rejects. */
  readonly ended: Promise<MountEnd>;
  readonly #addon: Addon;
  readonly #thread: Buffer;
  readonly #root: string;
  #end: (end: MountEnd) => void = () => {};

  /** Mounts; throws when that is refused. */
  constructor(files: PathFileSystem, options: NativeOptions, log: (line: string) => void) {
    const addon = loadAddon();
    this.#addon = addon;
    this.#root = options.root;
    this.#thread = Buffer.alloc(addon.sizeof_fuse_thread_t);
    let isReady = () => {};
    this.ready = new Promise((resolve) => (isReady = resolve));
    const { handlers, implemented } = handlersFor(addon, files, { onReady: () => isReady(), log });
    const allocate = (size: number) => {
      const bytes = Buffer.alloc(size);
      memory.push(bytes);
      return bytes;
    };
    memory.push(this.#thread, handlers, implemented);
    const before = devices();
    withHostPath(() => {
      try {
        const { root } = options;
        const args = [libfuseOptions(options), this.#thread, {}, allocate, handlers, implemented] as const;
        addon.fuse_native_mount(root, ...args);
      } catch (cause) {
        throw new CortexError('EIO', 'libfuse refused to mount; it says why on standard error', {
          path: options.root,
          layer: 'mount',
          cause,
        });
      }
    });
    const device = devices().find((found) => !before.includes(found));
    this.ended = this.#watch(device);
  }

  /** The session is to end whether or not the kernel still asks; what it asks then is answered by nobody. */
  stop(): void {
    this.#end({ reason: 'stopped' });
  }

  /** libfuse does not tell when its loop ends; it closes its device then. */
  async #watch(device: string | undefined): Promise<MountEnd> {
    let timer: NodeJS.Timeout | undefined;
    const end = await new Promise<MountEnd>((resolve) => {
      this.#end = resolve;
      timer = setInterval(() => {
        if (device === undefined || !isDevice(device)) resolve({ reason: 'unmounted' });
      }, LOOK_EVERY_MS);
    });
    clearInterval(timer);
    // Else the add-on would keep the process alive.
    this.#addon.fuse_native_unmount(this.#root, this.#thread);
    return end;
  }
}

/** libfuse looks for fusermount along PATH when it is not where it was built to be. */
function withHostPath(work: () => void): void {
  const { PATH } = process.env;
  process.env['PATH'] = HOST_DIRECTORIES.join(':');
  try {
    work();
  } finally {
    if (PATH === undefined) delete process.env['PATH'];
    else process.env['PATH'] = PATH;
  }
}

function devices(): string[] {
  return readdirSync('/proc/self/fd').filter(isDevice);
}

function isDevice(descriptor: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === '/dev/fuse';
  } catch {
    return false;
  }
}
