import { dirname } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { requireFrom } from '@cortexfs/linux/installed-require';
import { ensureLibfuse, isLibfuseMissing, libfuseMissing } from './libfuse.ts';

/** A request as libfuse's thread left it: the memory of a C structure, to be handed back with the answer. */
export type NativeRequest = Buffer;

/** Called for each request, on the main thread; must never throw. `args` are the operation's own. */
export type NativeHandler = (request: NativeRequest, operation: number, ...args: unknown[]) => void;

/** Answers a request: 0 or a positive result, or an errno below 0; then what the operation returns. */
type Signal = (request: NativeRequest, result: number, ...payload: unknown[]) => void;

/**
 * The compiled part of fuse-native 2.2.6. Its JavaScript part is left out on purpose: that ends operations after 15 s, drops
 * a time-out of 0, loses open files in fstat, mixes up times, and unmounts by a shell command made from the path.
 */
export interface Addon {
  readonly sizeof_fuse_thread_t: number;
  /**
   * Mounts and starts libfuse's threads. `options` is one argument, `-o…`; `mount` keeps the state; `allocate` makes
   * memory that has to stay; `implemented` is 1 at the numbers of the operations that have a handler.
   */
  fuse_native_mount(
    root: string,
    options: string,
    mount: Buffer,
    self: object,
    allocate: (size: number) => Buffer,
    handlers: readonly NativeHandler[],
    implemented: Uint32Array,
  ): void;
  /** Only lets the process end; it does not unmount. */
  fuse_native_unmount(root: string, mount: Buffer): void;
  /** `op_NAME` and `fuse_native_signal_NAME` of every operation. */
  readonly [name: `op_${string}`]: number;
  readonly [name: `fuse_native_signal_${string}`]: Signal;
}

/** Loads the add-on, which is an optional dependency; ENOENT says what to install. */
export function loadAddon(): Addon {
  const folder = addonFolder();
  const load = () => requireFrom(`${folder}/package.json`)('node-gyp-build')(folder) as Addon;
  try {
    return load();
  } catch (error) {
    if (!isLibfuseMissing(error)) throw unloadable(error);
  }
  ensureLibfuse(folder);
  try {
    return load();
  } catch (error) {
    throw isLibfuseMissing(error) ? libfuseMissing(error) : unloadable(error);
  }
}

function addonFolder(): string {
  try {
    return dirname(requireFrom(import.meta.url).resolve('fuse-native/package.json'));
  } catch (error) {
    throw new CortexError('ENOENT', 'the optional package is not installed', {
      path: 'fuse-native',
      layer: 'mount',
      hint: 'sudo apt-get install libfuse2, then npm i -g @cortexfs/cortexfs-fuse again; or --transport kernel',
      cause: error,
    });
  }
}

function unloadable(error: unknown): CortexError {
  return new CortexError('ENOTSUP', `fuse-native cannot be loaded: ${firstLine(error)}`, {
    layer: 'mount',
    hint: 'use --transport kernel',
    cause: error,
  });
}

function firstLine(error: unknown): string {
  return String((error as Error).message).split('\n')[0]!;
}
