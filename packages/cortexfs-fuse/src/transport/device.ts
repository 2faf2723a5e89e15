import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';

/** Opens the FUSE device; the error says what is missing. */
export function openDevice(): number {
  const path = '/dev/fuse';
  let device: number;
  try {
    device = openSync(path, constants.O_RDWR);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const missing = code === 'ENOENT' || code === 'ENXIO' || code === 'ENODEV';
    throw fromNodeError(error, {
      path,
      layer: 'mount',
      hint: missing ? NO_DEVICE : 'sudo chmod 666 /dev/fuse',
    });
  }
  if (isFuseDevice(device)) return device;
  closeSync(device);
  throw new CortexError('ENODEV', 'it is not the FUSE device', { path, layer: 'mount', hint: NO_DEVICE });
}

/** Asked before a program mounts for us, which would only say that it failed. */
export function requireDevice(): void {
  closeSync(openDevice());
}

const NO_DEVICE = 'sudo modprobe fuse (in a container: start it with --device /dev/fuse)';

/** Containers put other things there, such as /dev/null; mount would only speak of a wrong file system type. */
function isFuseDevice(fd: number): boolean {
  const stat = fstatSync(fd);
  return stat.isCharacterDevice() && stat.rdev === FUSE_DEVICE;
}

/** Character device 10:229. */
const FUSE_DEVICE = (10 << 8) | 229;
