import type { ObjectClass } from '@cortexfs/abi/controls/registry';

/** What `user.cortexfs.kind` says of a node (docs/mount.md). */
export type Kind =
  | `ctx.${ObjectClass}.${'exec' | 'socket' | 'control'}`
  | 'ctx.session.dir'
  | 'ctx.session.messages'
  | 'ctx.session.events'
  | 'ctx.shared.dir'
  | 'ctx.home.dir'
  | 'ctx.symlink'
  | 'ctx.ordinary'
  | 'ctx.unknown';

/** Where a node comes from: the backing tree, the processes that run now, or the mount itself. */
export type Origin = 'store' | 'runtime' | 'mount';

/** How its content is kept: the bytes as stored, a rendering made on read, or nothing but memory. */
export type Storage = 'bytes' | 'projection' | 'memory';
