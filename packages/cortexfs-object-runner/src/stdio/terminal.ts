import { fstatSync } from 'node:fs';

/** Whether a descriptor is a terminal. node:tty is loaded only for character devices: loading it costs start-up time. */
export async function isTerminal(fd: number): Promise<boolean> {
  return isCharacterDevice(fd) && (await import('node:tty')).isatty(fd);
}

/** False for a descriptor that is closed. */
function isCharacterDevice(fd: number): boolean {
  try {
    // As numbers the result would be kept where node's own realpath looks: a pipe there makes it give up at once, and what is
    // loaded next by a linked path (koffi) is not found.
    return fstatSync(fd, { bigint: true }).isCharacterDevice();
  } catch {
    return false;
  }
}
