import { ERRNO, type ErrnoName, isErrnoName } from '@cortexfs/abi/errno';

/**
 * The errno name to answer with. Errors without one are faults of ours: EIO, and a line for the log. ENOSYS would make the
 * kernel stop asking for that operation on the whole mount, so the file system's own becomes ENOTSUP.
 */
export function errnoOf(error: unknown, what: string, log: (line: string) => void): ErrnoName {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (code === 'EOPNOTSUPP' || code === 'ENOSYS') return 'ENOTSUP';
  if (isErrnoName(code)) return code;
  log(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return 'EIO';
}

export function errnoNumber(name: ErrnoName): number {
  return ERRNO[name];
}
