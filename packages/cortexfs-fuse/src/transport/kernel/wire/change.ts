import type { AttrChange, Handle } from '../../../core/file-system.ts';
import type { Request } from './request.ts';

const FATTR_MODE = 1 << 0;
const FATTR_UID = 1 << 1;
const FATTR_GID = 1 << 2;
const FATTR_SIZE = 1 << 3;
const FATTR_ATIME = 1 << 4;
const FATTR_MTIME = 1 << 5;
const FATTR_FH = 1 << 6;
const FATTR_ATIME_NOW = 1 << 7;
const FATTR_MTIME_NOW = 1 << 8;

const SECOND = 1_000_000_000n;

/** `fuse_setattr_in`, 88 bytes. A change of ctime is the kernel's own bookkeeping and needs none of ours. */
export function takeChange(request: Request): { change: AttrChange; handle: Handle | undefined } {
  const valid = request.u32();
  const has = (bit: number) => (valid & bit) !== 0;
  request.skip(4);
  const handle = has(FATTR_FH) ? request.u64() : skipped(request, 8);
  const size = has(FATTR_SIZE) ? request.u64() : skipped(request, 8);
  request.skip(8);
  const atimeSeconds = request.i64();
  const mtimeSeconds = request.i64();
  request.skip(8);
  const atime = atimeSeconds * SECOND + BigInt(request.u32());
  const mtime = mtimeSeconds * SECOND + BigInt(request.u32());
  request.skip(4);
  const mode = request.u32();
  request.skip(4);
  const uid = request.u32();
  const gid = request.u32();
  request.skip(4);
  request.end();
  const change: AttrChange = {
    ...(has(FATTR_MODE) && { mode }),
    ...(has(FATTR_UID) && { uid }),
    ...(has(FATTR_GID) && { gid }),
    ...(size !== undefined && { size }),
    ...(has(FATTR_ATIME) && { atime: has(FATTR_ATIME_NOW) ? ('now' as const) : atime }),
    ...(has(FATTR_MTIME) && { mtime: has(FATTR_MTIME_NOW) ? ('now' as const) : mtime }),
  };
  return { change, handle };
}

function skipped(request: Request, bytes: number): undefined {
  request.skip(bytes);
}
