import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { CortexError, errorJson } from '@cortexfs/abi/errors';

/** Where a starter waits for an error: an inherited descriptor, or a file where a service manager passes on none. */
export type ReportPlace = { readonly fd: string } | { readonly file: string };

/** It belongs to the process as a whole, like standard error, and is closed as soon as the role has published itself. */
let open: (() => number) | undefined;
let close: () => void = () => {};

export function takeReport(place: ReportPlace): void {
  if ('file' in place) {
    open = () => openSync(place.file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
    return;
  }
  if (!/^([3-9]|[1-9][0-9]{1,3})$/.test(place.fd)) {
    throw new CortexError('EINVAL', `--report-fd ${JSON.stringify(place.fd)} is not a descriptor above 2`);
  }
  const fd = Number(place.fd);
  open = () => fd;
  close = () => closeSync(fd);
}

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;

export function reportError(error: CortexError): void {
  try {
    if (open !== undefined) writeSync(open(), `${JSON.stringify(errorJson(error))}\n`);
  } catch {
    // The starter is gone; the log has the error too.
  }
}

export function closeReport(): void {
  if (open === undefined) return;
  open = undefined;
  try {
    close();
  } catch {
    // It was never open: nobody waits.
  }
}
