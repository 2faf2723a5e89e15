/** The errno names that CortexFS reports, with their Linux numbers. See docs/errors.md. */
export const ERRNO = {
  EPERM: 1,
  ENOENT: 2,
  ESRCH: 3,
  EINTR: 4,
  EIO: 5,
  ENXIO: 6,
  E2BIG: 7,
  ENOEXEC: 8,
  EBADF: 9,
  ECHILD: 10,
  EAGAIN: 11,
  ENOMEM: 12,
  EACCES: 13,
  EFAULT: 14,
  EBUSY: 16,
  EEXIST: 17,
  EXDEV: 18,
  ENODEV: 19,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  ENFILE: 23,
  EMFILE: 24,
  ENOTTY: 25,
  ETXTBSY: 26,
  EFBIG: 27,
  ENOSPC: 28,
  ESPIPE: 29,
  EROFS: 30,
  EMLINK: 31,
  EPIPE: 32,
  ERANGE: 34,
  ENAMETOOLONG: 36,
  ENOSYS: 38,
  ENOTEMPTY: 39,
  ELOOP: 40,
  ENODATA: 61,
  EPROTO: 71,
  EOVERFLOW: 75,
  EILSEQ: 84,
  EMSGSIZE: 90,
  ENOTSUP: 95,
  EADDRINUSE: 98,
  ECONNRESET: 104,
  ENOTCONN: 107,
  ETIMEDOUT: 110,
  ECONNREFUSED: 111,
  EHOSTDOWN: 112,
  EALREADY: 114,
  ESTALE: 116,
  EDQUOT: 122,
  ECANCELED: 125,
} as const;

export type ErrnoName = keyof typeof ERRNO;

/** What a CortexFS program may exit with, besides 130 after SIGINT and 127 for an unknown tsh command. */
export type ExitCode = 0 | 1 | 2 | 13 | 69 | 70;

const exitCodes: Partial<Record<ErrnoName, ExitCode>> = {
  EINVAL: 2,
  EMSGSIZE: 2,
  ENAMETOOLONG: 2,
  EILSEQ: 2,
  E2BIG: 2,
  ERANGE: 2,
  EOVERFLOW: 2,
  EACCES: 13,
  EPERM: 13,
  EROFS: 13,
  EHOSTDOWN: 69,
  ECONNREFUSED: 69,
  ECONNRESET: 69,
  ENOTCONN: 69,
  ETIMEDOUT: 69,
  EAGAIN: 69,
  EIO: 70,
  EPROTO: 70,
  ENOSPC: 70,
  EDQUOT: 70,
  ENOMEM: 70,
  EMFILE: 70,
  ENFILE: 70,
  EBADF: 70,
  EFAULT: 70,
  ENOSYS: 70,
};

/**
 * The exit code that stands for an error: 2 bad input, 13 refused, 69 unavailable, 70 internal or I/O,
 * 1 everything else. See docs/errors.md.
 */
export function exitCodeOf(code: ErrnoName): ExitCode {
  return exitCodes[code] ?? 1;
}

/** Whether a text is one of the known errno names. */
export function isErrnoName(text: unknown): text is ErrnoName {
  return typeof text === 'string' && Object.hasOwn(ERRNO, text);
}
