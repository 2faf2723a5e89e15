import { closeSync, openSync, readSync } from 'node:fs';
import { parseRunId, type RunId } from '@cortexfs/abi/names';
import { newRunId } from '@cortexfs/abi/run-id';

/** The run that this execution belongs to: `CTX_RUN_ID`, else a fresh one. */
export function currentRun(): RunId {
  const given = process.env['CTX_RUN_ID'];
  return given === undefined ? freshId() : parseRunId(given);
}

/** A new id, of a run or anything else that needs one. */
export function freshId(): RunId {
  return newRunId(Date.now(), randomBytes());
}

/** From the kernel: loading node's crypto would cost a tenth of the whole start-up. */
function randomBytes(): Uint8Array {
  const bytes = new Uint8Array(16);
  const fd = openSync('/dev/urandom', 'r');
  try {
    readSync(fd, bytes);
  } finally {
    closeSync(fd);
  }
  return bytes;
}
