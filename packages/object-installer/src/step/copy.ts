import { closeSync, constants, fchmodSync, fstatSync, fsyncSync, writeSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { openName } from '@cortexfs/linux/open-beneath';
import { mismatch, requireUnchanged } from '../check/artifact.ts';
import { inodeOf } from '../file/identity.ts';
import { readThrough } from '../file/read-through.ts';
import { openRegular } from '../file/regular.ts';
import type { Step } from './step.ts';
import { held, STAGED, type Work } from './work.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** Copies and hashes in one pass. The copy may not be executed before its bytes are known to be the right ones. */
export const copyExecutable: Step<Work> = {
  name: 'copy-executable',
  does: ({ candidate }) =>
    `copy ${held(candidate).size} bytes of ${held(candidate).manifest.executable.path} into the stage, not executable (0600), and check their SHA-256`,
  async run({ stage, candidate, watch, written }) {
    const { artifact, manifest, file, size } = held(candidate);
    const copy = openName(
      held(stage).descriptor,
      STAGED.executable,
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
      0o600,
    );
    try {
      held(written).executable = inodeOf(fstatSync(copy, { bigint: true }));
      const each = (piece: Uint8Array, position: number) => writeStaged(copy, piece, position);
      const found = await readThrough(artifact.descriptor, { each, watch: (bytes) => watch?.(bytes, size) });
      requireUnchanged(artifact);
      if (found.sha256 !== manifest.executable.sha256 || found.size !== size) {
        throw new CortexError('EINVAL', mismatch(found.sha256), {
          path: `${file}: executable.sha256`,
          layer: 'manifest',
        });
      }
    } catch (err) {
      throw fromNodeError(err, { path: `${file}: executable.path` });
    } finally {
      closeSync(copy);
    }
  },
};

export const sealExecutable: Step<Work> = {
  name: 'seal-executable',
  does: () => 'make the copy executable (0755), sync it',
  run(work) {
    work.executable = openRegular(held(work.stage).descriptor, STAGED.executable);
    const { descriptor } = work.executable;
    fchmodSync(descriptor, 0o755);
    fsyncSync(descriptor);
    work.executable = { descriptor, status: fstatSync(descriptor, { bigint: true }) };
  },
};

function writeStaged(copy: number, piece: Uint8Array, position: number): void {
  try {
    writeAt(copy, piece, position);
  } catch (err) {
    throw fromNodeError(err, { path: 'the copy in the stage', layer: 'store' });
  }
}

export function writeAt(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
}
