import { closeSync, constants, fchmodSync, fstatSync, fsyncSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import {
  formatObjectReceipt,
  OBJECT_RECEIPT_MODE,
  type ObjectReceipt,
  parseObjectReceipt,
} from '@cortexfs/abi/receipt/object';
import { makeDirectory, openDirectory } from '@cortexfs/linux/entry';
import { openName } from '@cortexfs/linux/open-beneath';
import type { Candidate } from '../check/candidate.ts';
import { inodeOf } from '../file/identity.ts';
import { controlsToWrite } from '../object/controls.ts';
import { RECEIPT_FILE } from '../object/receipt-file.ts';
import type { Target } from '../object/target.ts';
import { writeAt } from './copy.ts';
import type { Step } from './step.ts';
import { held, STAGED, type Work } from './work.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

export const writeControls: Step<Work> = {
  name: 'write-controls',
  does: ({ candidate }) =>
    `write the controls into the stage (0644), synced: ${[...controlsToWrite(held(candidate).manifest).keys()].join(' ')}`,
  run(work) {
    const stage = held(work.stage).descriptor;
    makeDirectory(stage, STAGED.controls, 0o700);
    const descriptor = openDirectory(stage, STAGED.controls);
    if (descriptor === undefined) throw new CortexError('ESTALE', 'the new control directory vanished');
    work.controls = { descriptor, status: fstatSync(descriptor, { bigint: true }) };
    held(work.written).controls = inodeOf(work.controls.status);
    // Whatever the umask took away.
    fchmodSync(descriptor, 0o755);
    for (const [name, text] of controlsToWrite(held(work.candidate).manifest))
      writeNew(work, name, text, 0o644);
  },
};

export const writeReceipt: Step<Work> = {
  name: 'write-receipt',
  does: () => `write the receipt beside them (0444), synced: ${RECEIPT_FILE}`,
  run(work) {
    writeNew(work, RECEIPT_FILE, receiptText(work), OBJECT_RECEIPT_MODE);
  },
};

export const syncStage: Step<Work> = {
  name: 'sync-stage',
  does: () => 'sync the directories of the stage',
  run({ controls, stage }) {
    fsyncSync(held(controls).descriptor);
    fsyncSync(held(stage).descriptor);
  },
};

/** The receipt of what this command installs. */
export function receiptText({ target, candidate, executable, controls }: Work): string {
  const text = formatObjectReceipt(
    receiptOf(target, held(candidate), {
      executable: inodeOf(held(executable).status),
      control: inodeOf(held(controls).status),
    }),
  );
  // What could not be read again would make the object one that nobody manages.
  parseObjectReceipt(text);
  return text;
}

function receiptOf(
  target: Target,
  { manifest: { compatibility, executable } }: Candidate,
  inodes: Pick<ObjectReceipt, 'control'> & { executable: ObjectReceipt['control'] },
): ObjectReceipt {
  return {
    ...(compatibility === undefined
      ? { schema: 'cortexfs.object-install/v1', object_schema: 'cortexfs.object/v1' }
      : {
          schema: 'cortexfs.object-install/v2',
          object_schema: 'cortexfs.object/v2',
          object_version: compatibility.version,
          cortexfs_requirement: compatibility.cortexfs,
        }),
    ...target,
    executable: { ...inodes.executable, sha256: executable.sha256 },
    control: inodes.control,
  };
}

function writeNew({ controls, written }: Work, name: string, text: string, mode: number): void {
  const file = openName(held(controls).descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    held(written).files.push({ name, inode: inodeOf(fstatSync(file, { bigint: true })) });
    writeAt(file, Buffer.from(text), 0);
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
