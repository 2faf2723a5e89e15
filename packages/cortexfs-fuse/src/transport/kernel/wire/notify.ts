import type { NodeId } from '../../../core/file-system.ts';
import { Reply } from './reply.ts';

const NOTIFY_INVAL_INODE = 2;
const NOTIFY_INVAL_ENTRY = 3;

/** Messages that the transport sends unasked. Their `unique` is 0 and the error field says which one it is. */

/** Forget the cached attributes and pages of a node. */
export function formatInvalidateNode(node: NodeId): Buffer {
  const message = new Reply(24);
  message.u64(node).big(0n).big(0n);
  return finish(message, NOTIFY_INVAL_INODE);
}

/** Forget what a name in a directory resolved to. */
export function formatInvalidateEntry(parent: NodeId, name: string): Buffer {
  const bytes = Buffer.from(name, 'utf8');
  const message = new Reply(16 + bytes.length + 1);
  message.u64(parent).u32(bytes.length).u32(0).append(bytes).zeros(1);
  return finish(message, NOTIFY_INVAL_ENTRY);
}

function finish(message: Reply, code: number): Buffer {
  const bytes = message.bytes;
  bytes.writeUInt32LE(bytes.length, 0);
  bytes.writeInt32LE(code, 4);
  return bytes;
}
