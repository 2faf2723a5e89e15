import { findPeerBin, type PeerPackage } from '@cortexfs/linux/peer-bin';
import { standIn } from '@cortexfs/linux/stand-in';

/**
 * Runs another bin of CortexFS in our place: same terminal, its exit code is ours, signals reach it too.
 * @throws CortexError ENOENT when that bin is not installed, naming the package.
 */
export async function handOverTo(bin: PeerPackage, args: readonly string[]): Promise<number> {
  const script = findPeerBin(bin);
  return await standIn(process.execPath, [script, ...args], { stdio: 'inherit' }).ended;
}
