import { unlinkSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { agentExec } from '@cortexfs/abi/paths';
import { lockFile } from '@cortexfs/linux/flock';
import { ensureRuntimeDir } from '@cortexfs/linux/runtime-dir';
import { createAlias, readBackAlias, removeAlias } from './alias.ts';
import { recordCleanup } from './cleanup.ts';
import { filesOf } from './files.ts';
import type { InstanceIdentity } from './instance.ts';
import { makeHome, requireOwn } from './own.ts';
import { ownReceipt, readReceipt, writeReceipt } from './receipt-file.ts';
import { closeReport } from './report.ts';
import { writeStatus } from './status-file.ts';

/** What a role process holds while it lives (docs/instances.md). */
export interface InstanceHold {
  /** Once the socket listens: receipt, alias, alias read back through the mount, and for the socket role `ready`. */
  publish(): Promise<void>;
  /** Takes all of it away again and leaves a cleanup receipt. May be called at any time, and again. */
  withdraw(reason: string): Promise<void>;
}

/**
 * Takes the lock of one role for as long as this process lives: there are never two of it, whoever starts them and
 * however they die. EBUSY when another process has it.
 */
export async function holdInstance(identity: InstanceIdentity): Promise<InstanceHold> {
  const { site, definition, role } = identity;
  const { name } = definition;
  requireOwn(site, definition);
  ensureRuntimeDir(site.runtime, 'launch', name);
  makeHome(site, definition.owner);
  const files = filesOf(identity);
  const lock = await lockFile(files.lock).catch(alreadyRunning(identity));
  const receipt = ownReceipt(identity, files.socket);
  let withdrawn = false;
  return {
    async publish() {
      await writeReceipt(files.receipt, receipt);
      createAlias(site, files.alias, files.socket);
      await readBackAlias(site.root, files.alias, files.socket);
      if (role === 'socket') await writeStatus(site.runtime, name, 'ready');
      closeReport();
    },
    async withdraw(reason) {
      if (withdrawn) return;
      withdrawn = true;
      // On a full disk what can be taken away is, and the error that brought us here stays the one to tell.
      if (role === 'socket') await writeStatus(site.runtime, name, 'dead').catch(() => {});
      await removeAlias(site, files.alias, files.socket);
      removeFile(files.socket);
      const current = readReceipt(files.receipt);
      if (current?.pid === receipt.pid && current.start_time === receipt.start_time) {
        await recordCleanup(site.runtime, name, reason, [{ receipt, outcome: 'exited' }]).catch(() => {});
        removeFile(files.receipt);
      }
      lock.release();
    },
  };
}

function alreadyRunning({ definition: { name }, role, session }: InstanceIdentity) {
  return (error: unknown): never => {
    if (!(error instanceof CortexError) || error.code !== 'EBUSY') throw error;
    const what = role === 'socket' ? 'its socket host' : `the terminal of session "${session}"`;
    throw new CortexError('EBUSY', `${what} is already running`, {
      path: agentExec(name),
      layer: 'runtime',
      hint: `agent-host status ${name}`,
      cause: error,
    });
  };
}

export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
