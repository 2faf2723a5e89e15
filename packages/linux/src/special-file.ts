import { systemCall } from './native.ts';

const mknod = systemCall('mknod', 'int mknod(str path, unsigned int mode, unsigned long dev)');

/** Creates a FIFO or a socket's name, without content or device number. `mode` carries the type. */
export function makeSpecialFile(path: string, mode: number): void {
  mknod(path, mode, 0);
}
