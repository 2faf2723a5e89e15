import { closeSync, writeSync } from 'node:fs';
import { CortexError, errorJson } from '@cortexfs/abi/errors';

/**
 * The descriptor on which a starter waits for the error of the role process that it started. It belongs to the process
 * as a whole, like standard error, and is closed as soon as the role has published itself.
 */
let descriptor: number | undefined;

export function takeReport(text: string): void {
  if (!/^([3-9]|[1-9][0-9]{1,3})$/.test(text)) {
    throw new CortexError('EINVAL', `--report-fd ${JSON.stringify(text)} is not a descriptor above 2`);
  }
  descriptor = Number(text);
}

export function reportError(error: CortexError): void {
  if (descriptor === undefined) return;
  try {
    writeSync(descriptor, `${JSON.stringify(errorJson(error))}\n`);
  } catch {
    // The starter is gone; the log has the error too.
  }
}

export function closeReport(): void {
  if (descriptor === undefined) return;
  const fd = descriptor;
  descriptor = undefined;
  try {
    closeSync(fd);
  } catch {
    // It was never open: nobody waits.
  }
}
