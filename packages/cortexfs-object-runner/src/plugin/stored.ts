import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { resolveDeployment } from '@cortexfs/abi/deployment';
import { runtimeTree } from '@cortexfs/abi/paths';
import { parseMountReceipt } from '@cortexfs/abi/receipt/mount';

/**
 * The same file in the store, where that can be reached: a program that runs from there outlives the mount. Otherwise, as in every
 * sandbox, the descriptor that was given. What is opened is compared with it, so that no link or swap can lead elsewhere.
 */
export function storedArtifact(fd: number, object: string): number {
  const path = pathInStore(object);
  const stored = path === undefined ? undefined : openFile(path);
  if (stored === undefined) return fd;
  if (isSame(stored, fd)) {
    closeSync(fd);
    return stored;
  }
  closeSync(stored);
  return fd;
}

function pathInStore(object: string): string | undefined {
  try {
    const { env } = process;
    const { runtime } = resolveDeployment({ uid: process.getuid!(), home: env['HOME'] ?? '/', env });
    const { root, source } = parseMountReceipt(readFileSync(runtimeTree(runtime).mountReceipt, 'utf8'));
    return object.startsWith(`${root}/`) ? `${source}${object.slice(root.length)}` : undefined;
  } catch {
    // No mount of this user's own.
    return undefined;
  }
}

function openFile(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

function isSame(a: number, b: number): boolean {
  const one = fstatSync(a, { bigint: true });
  const other = fstatSync(b, { bigint: true });
  return (
    one.ino === other.ino &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs
  );
}
