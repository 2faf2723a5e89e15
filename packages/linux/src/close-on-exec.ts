import { readdirSync } from 'node:fs';
import { codeOf, systemCall } from './native.ts';

const SYS_close_range = 436;
const CLOSE_RANGE_CLOEXEC = 4;
const LAST = 0xffffffff;
const F_SETFD = 2;
const FD_CLOEXEC = 1;

const syscall = systemCall(
  'close_range',
  'long syscall(long number, unsigned int first, unsigned int last, unsigned int flags)',
);
const fcntl = systemCall('fcntl', 'int fcntl(int fd, int command, int argument)');

/**
 * Keeps every descriptor from `first` on out of programs started from now on. Node marks its own, and of those that
 * it was itself started with only the first few: a secret or a socket that a careless parent left open would pass through. Descriptors
 * named in a spawn's `stdio` are still passed.
 */
export function closeOnExecFrom(first: number): void {
  try {
    syscall(SYS_close_range, first, LAST, CLOSE_RANGE_CLOEXEC);
  } catch (error) {
    // Before Linux 5.11.
    if (codeOf(error) !== 'ENOSYS' && codeOf(error) !== 'EINVAL') throw error;
    markOneByOne(first);
  }
}

export function markOneByOne(first: number): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd < first) continue;
    try {
      fcntl(fd, F_SETFD, FD_CLOEXEC);
    } catch (error) {
      // The descriptor that listed the directory.
      if (codeOf(error) !== 'EBADF') throw error;
    }
  }
}
