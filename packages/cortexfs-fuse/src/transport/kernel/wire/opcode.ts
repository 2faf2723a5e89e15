/** Operation numbers of the FUSE kernel protocol, as far as this transport answers them. */
export const OPCODE = {
  LOOKUP: 1,
  FORGET: 2,
  GETATTR: 3,
  SETATTR: 4,
  READLINK: 5,
  SYMLINK: 6,
  MKNOD: 8,
  MKDIR: 9,
  UNLINK: 10,
  RMDIR: 11,
  RENAME: 12,
  LINK: 13,
  OPEN: 14,
  READ: 15,
  WRITE: 16,
  STATFS: 17,
  RELEASE: 18,
  FSYNC: 20,
  SETXATTR: 21,
  GETXATTR: 22,
  LISTXATTR: 23,
  REMOVEXATTR: 24,
  FLUSH: 25,
  INIT: 26,
  OPENDIR: 27,
  READDIR: 28,
  RELEASEDIR: 29,
  FSYNCDIR: 30,
  ACCESS: 34,
  CREATE: 35,
  INTERRUPT: 36,
  DESTROY: 38,
  BATCH_FORGET: 42,
  READDIRPLUS: 44,
  RENAME2: 45,
} as const;

const names = new Map<number, string>(Object.entries(OPCODE).map(([name, number]) => [number, name]));

/** For log lines. */
export function opcodeName(opcode: number): string {
  return names.get(opcode) ?? `operation ${opcode}`;
}
