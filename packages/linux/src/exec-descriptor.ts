import { closeOnExecFrom } from './close-on-exec.ts';
import { systemCall } from './native.ts';

const F_SETFD = 2;
const SIG_DFL = 0;
/** Ignored by Node itself; a program that is started expects them as they are for everybody. */
const IGNORED_BY_NODE = [13, 25];

const fexecve = systemCall('fexecve', 'int fexecve(int fd, const char **argv, const char **envp)');
const fcntl = systemCall('fcntl', 'int fcntl(int fd, int command, int argument)');
const signal = systemCall('signal', 'intptr_t signal(int number, intptr_t handler)');

export interface Execution {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Descriptors that stay open in the program, besides the three streams. */
  readonly keep?: readonly number[];
}

/**
 * Makes this process the program behind a descriptor: the very file that was opened, whatever its name means by now. A script is
 * given to its interpreter as `/dev/fd/N`, so that its descriptor must be among those kept. Returns only by throwing: ENOENT when
 * the interpreter is missing, EACCES when the file may not be executed, ENOEXEC when it is no program.
 */
export function execDescriptor(fd: number, { argv, env, keep = [] }: Execution): never {
  closeOnExecFrom(3);
  // Node marks its own streams as well.
  for (const open of [0, 1, 2, ...keep]) fcntl(open, F_SETFD, 0);
  for (const number of IGNORED_BY_NODE) signal(number, SIG_DFL);
  fexecve(fd, [...argv, null], [...variables(env), null]);
  throw new Error('execve returned without an error');
}

function variables(env: Execution['env']): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
}
