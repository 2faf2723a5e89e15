import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { SYSTEM } from '@cortexfs/abi/deployment';
import { runtimeTree } from '@cortexfs/abi/paths';
import { type MountReceipt, parseMountReceipt } from '@cortexfs/abi/receipt/mount';
import { isAlive } from './process.ts';

/** The receipt of the mount of a runtime directory; undefined when there is none, or none that can be read. */
export function mountReceipt(runtime: string): MountReceipt | undefined {
  return readReceipt(runtime, () => true);
}

/** The receipt of the machine's mount, for everybody to read; undefined unless root and nobody else can have written it. */
export function systemMountReceipt(runtime: string = SYSTEM.runtime, root = 0): MountReceipt | undefined {
  return readReceipt(runtime, (fd) => {
    const { uid, mode } = fstatSync(fd);
    return uid === root && (mode & 0o022) === 0;
  });
}

/** Whether the process of a receipt still runs: the pid alone proves nothing. A plain root needs no process. */
export function servesStill(receipt: MountReceipt): boolean {
  return receipt.transport === 'plain' || isAlive(receipt.pid, receipt.start_time);
}

function readReceipt(runtime: string, isTrusted: (fd: number) => boolean): MountReceipt | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(runtimeTree(runtime).mountReceipt, constants.O_RDONLY | constants.O_NOFOLLOW);
    return isTrusted(fd) ? parseMountReceipt(readFileSync(fd, 'utf8')) : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
