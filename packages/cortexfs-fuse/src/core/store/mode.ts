import { constants } from 'node:fs';

/** File types and flags of Linux that the core speaks of. */
export const TYPE_MASK = constants.S_IFMT;
export const DIRECTORY = constants.S_IFDIR;
export const REGULAR = constants.S_IFREG;
export const SYMLINK = constants.S_IFLNK;
export const SOCKET = constants.S_IFSOCK;
export const FIFO = constants.S_IFIFO;
export const CHARACTER_DEVICE = constants.S_IFCHR;
export const BLOCK_DEVICE = constants.S_IFBLK;

export const typeOf = (mode: number) => mode & TYPE_MASK;
export const isExecutable = (mode: number) => typeOf(mode) === REGULAR && (mode & 0o111) !== 0;

/** Whether open flags ask for writing. */
export const writes = (flags: number) =>
  (flags & (constants.O_WRONLY | constants.O_RDWR | constants.O_TRUNC)) !== 0;
