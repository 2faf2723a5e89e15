import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { findPeerBin, type PeerPackage } from '@cortexfs/linux/peer-bin';

/**
 * Runs another bin of CortexFS in our place: same terminal, its exit code is ours, signals reach it too.
 * @throws CortexError ENOENT when that bin is not installed, naming the package.
 */
export function handOverTo(bin: PeerPackage, args: readonly string[]): Promise<number> {
  const script = findPeerBin(bin);
  const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit' });
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  // The terminal delivers SIGINT to the whole group: waiting for the child is enough.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', forward);
  process.on('SIGHUP', forward);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
}
