import { findPeerBin } from '@cortexfs/linux/peer-bin';
import { takeOver } from '../stdio/take-over.ts';

/** The interactive socket session of an agent, which `ctx` owns. */
export async function openChat(name: string): Promise<number> {
  return await takeOver(process.execPath, [findPeerBin('ctx-cli'), 'agent', 'chat', name]);
}
