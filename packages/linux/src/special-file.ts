import { systemCall } from './native.ts';

const mknod = systemCall('mknod', 'int mknod(str path, unsigned int mode, unsigned long dev)');

/** Creates a FIFO, a socket's name or a device file. `mode` carries the type; `device` is its number as stat(2) gives it. */
export function makeSpecialFile(path: string, mode: number, device = 0): void {
  mknod(path, mode, device);
}
