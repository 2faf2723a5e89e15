import { getSystemErrorName } from 'node:util';
import { CortexError } from '@cortexfs/abi/errors';
import { requireFrom } from './installed-require.ts';

/** The one place that loads koffi: on the first call of a function that Node itself does not offer. */
type Koffi = typeof import('koffi');
export type NativeFunction = (...args: unknown[]) => number;

let loaded: Koffi | undefined;
let library: ReturnType<Koffi['load']> | undefined;

export function koffi(): Koffi {
  loaded ??= load();
  return loaded;
}

/** A C function of the process's own libc, bound at its first call. Its result below 0 throws a system error. */
export function systemCall(name: string, prototype: string): NativeFunction {
  const call = plainCall(prototype);
  return (...args) => {
    const result = call(...args);
    if (result < 0) throw systemError(name, -result);
    return result;
  };
}

/** The same where failing is nothing unusual: the negative errno is the result. */
export function plainCall(prototype: string): NativeFunction {
  let bound: NativeFunction | undefined;
  return (...args) => {
    bound ??= bind(prototype);
    const result = bound(...args);
    return result < 0 ? -koffi().errno() : result;
  };
}

/** libuv has no name for it. */
const ENOEXEC = 8;

/** Like Node's own file system errors: `code` is the errno name, `errno` its negative number. */
export function systemError(syscall: string, errno: number): NodeJS.ErrnoException {
  const code = errno === ENOEXEC ? 'ENOEXEC' : getSystemErrorName(-errno);
  return Object.assign(new Error(`${code}: ${syscall} failed`), { code, errno: -errno, syscall });
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

function load(): Koffi {
  try {
    return requireFrom(import.meta.url)('koffi') as Koffi;
  } catch (cause) {
    throw new CortexError('ENOSYS', `the native add-on koffi cannot be loaded: ${(cause as Error).message}`, {
      layer: 'runtime',
      hint: 'install the package again, on the machine and with the Node version that run it',
      cause,
    });
  }
}

function bind(prototype: string): NativeFunction {
  library ??= koffi().load(null);
  return library.func(prototype) as NativeFunction;
}
