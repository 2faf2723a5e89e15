import type { ExitCode } from '@cortexfs/abi/errno';
import type { CortexError } from '@cortexfs/abi/errors';
import { isMachinery } from './without-fuse.ts';

/** 69 where FUSE is not to be had on this machine, 2 for an unsuitable directory, else as the errno says (docs/mount.md). */
export function exitCodeFor(error: CortexError): ExitCode {
  if (error.code === 'ENOTSUP') return 69;
  if (isMissing(error)) return isMachinery(error.path) ? 69 : 2;
  if (error.code === 'ENOTDIR' || error.code === 'ENOTEMPTY') return 2;
  return error.exitCode;
}

function isMissing({ code }: CortexError): boolean {
  return code === 'ENOENT' || code === 'ENODEV' || code === 'ENXIO';
}
