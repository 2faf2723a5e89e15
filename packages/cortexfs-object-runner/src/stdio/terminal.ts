import { fstatSync } from 'node:fs';

/** Whether a descriptor is a terminal. node:tty is loaded only for character devices: loading it costs start-up time. */
export async function isTerminal(fd: number): Promise<boolean> {
  return isCharacterDevice(fd) && (await import('node:tty')).isatty(fd);
}

/** False for a descriptor that is closed. */
function isCharacterDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}
