import { CortexError } from '@cortexfs/abi/errors';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/** Largest write, and read, in one request. */
export const MAX_DATA = 1024 * 1024;

const MAJOR = 7;
/** Older kernels (before Linux 5.4) lack what the replies below rely on. */
const OLDEST_MINOR = 31;
/** The newest protocol whose structures are written here. */
const MINOR = 38;
const PAGE = 4096;

const FUSE_ASYNC_READ = 1n << 0n;
const FUSE_ATOMIC_O_TRUNC = 1n << 3n;
const FUSE_BIG_WRITES = 1n << 5n;
const FUSE_AUTO_INVAL_DATA = 1n << 12n;
const FUSE_DO_READDIRPLUS = 1n << 13n;
const FUSE_READDIRPLUS_AUTO = 1n << 14n;
const FUSE_PARALLEL_DIROPS = 1n << 18n;
const FUSE_MAX_PAGES = 1n << 22n;
const FUSE_INIT_EXT = 1n << 30n;
const FUSE_DIRECT_IO_ALLOW_MMAP = 1n << 36n;

/**
 * What is wanted of the kernel, where it offers it. Left out on purpose: the write-back cache (an acknowledged write is in
 * the store) and cached symlinks (aliases change under the kernel).
 */
const WANTED =
  FUSE_ASYNC_READ |
  FUSE_ATOMIC_O_TRUNC |
  FUSE_BIG_WRITES |
  FUSE_AUTO_INVAL_DATA |
  FUSE_DO_READDIRPLUS |
  FUSE_READDIRPLUS_AUTO |
  FUSE_PARALLEL_DIROPS |
  FUSE_MAX_PAGES |
  FUSE_INIT_EXT |
  FUSE_DIRECT_IO_ALLOW_MMAP;

export interface KernelOffer {
  readonly major: number;
  readonly minor: number;
  readonly maxReadahead: number;
  readonly flags: bigint;
}

/** `fuse_init_in`; before 7.36 it ends after the first flags. Newer kernels may append fields. */
export function takeOffer(request: Request): KernelOffer {
  const major = request.u32();
  const minor = request.u32();
  const maxReadahead = request.left >= 4 ? request.u32() : 0;
  const low = request.left >= 4 ? request.u32() : 0;
  const high = (BigInt(low) & FUSE_INIT_EXT) !== 0n && request.left >= 4 ? request.u32() : 0;
  return { major, minor, maxReadahead, flags: (BigInt(high) << 32n) | BigInt(low) };
}

/** `fuse_init_out`. A newer major version is answered with ours alone; the kernel then asks again with that. */
export function putAnswer(reply: Reply, offer: KernelOffer): void {
  if (offer.major < MAJOR || (offer.major === MAJOR && offer.minor < OLDEST_MINOR)) {
    const spoken = `${offer.major}.${offer.minor}`;
    throw new CortexError(
      'EPROTO',
      `the kernel speaks FUSE ${spoken}, at least ${MAJOR}.${OLDEST_MINOR} is needed`,
      {
        layer: 'mount',
        hint: 'Linux 5.4 or newer is needed',
      },
    );
  }
  const flags = WANTED & offer.flags;
  reply.u32(MAJOR).u32(Math.min(MINOR, offer.minor)).u32(offer.maxReadahead);
  reply.u32(Number(flags & 0xffffffffn));
  // How many requests of the background kind may wait here at once: this is the back-pressure on read-ahead.
  reply.u16(16).u16(12);
  reply
    .u32(MAX_DATA)
    .u32(1)
    .u16(MAX_DATA / PAGE)
    .u16(0);
  reply.u32(Number(flags >> 32n)).zeros(28);
}

/** Whether this INIT is the last one: the kernel accepts our major version. */
export function isAgreed(offer: KernelOffer): boolean {
  return offer.major === MAJOR;
}
