import { CortexError } from '@cortexfs/abi/errors';
import { shownSource } from '../mount-point/shown-source.ts';

/** The longest path that fits into fuse-native's own memory. */
const LONGEST_ROOT = 1023;

export interface NativeOptions {
  /** The directory to mount at; it must exist. */
  readonly root: string;
  /** What the mount table names as source. */
  readonly source: string;
  /** Not possible here: ENOTSUP. */
  readonly allowOther: boolean;
}

/** Refuses what this transport cannot do. */
export function requirePossible({ root, allowOther }: NativeOptions): void {
  if (allowOther)
    throw new CortexError('ENOTSUP', 'fuse-native cannot tell who asks, so it serves nobody but the owner', {
      layer: 'mount',
      hint: 'use --transport kernel with --allow-other',
    });
  if (Buffer.byteLength(root) > LONGEST_ROOT)
    throw new CortexError('ENAMETOOLONG', `fuse-native mounts at no path over ${LONGEST_ROOT} bytes`, {
      path: root,
      layer: 'mount',
    });
}

/**
 * The options of libfuse 2, one argument. Nothing is cached, for one time-out would have to do for every entry. Without
 * `hard_remove`, for the add-on crashes on files that have no path any more.
 */
export function libfuseOptions({ source }: NativeOptions): string {
  const options = [
    'default_permissions',
    `fsname=${shownSource(source)}`,
    'subtype=cortexfs',
    'entry_timeout=0',
    'attr_timeout=0',
    'negative_timeout=0',
    'use_ino',
    'direct_io',
    'atomic_o_trunc',
    'big_writes',
  ];
  return `-o${options.join(',')}`;
}
