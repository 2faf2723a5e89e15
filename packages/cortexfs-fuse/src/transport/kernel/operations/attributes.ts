import type { Call, Operation } from '../session.ts';
import { putAttrReply } from '../wire/attributes.ts';
import { takeChange } from '../wire/change.ts';
import { OPCODE } from '../wire/opcode.ts';

/** Operations on what is known about a node. */
export const attributeOperations: [number, Operation][] = [
  [OPCODE.GETATTR, getattr],
  [OPCODE.SETATTR, setattr],
  [OPCODE.ACCESS, access],
  [OPCODE.READLINK, readlink],
  [OPCODE.STATFS, statfs],
];

const GETATTR_HAS_HANDLE = 1;

function getattr({ fileSystem, request, context, reply }: Call): void {
  const flags = request.u32();
  const handle = request.skip(4).u64();
  request.end();
  const known = (flags & GETATTR_HAS_HANDLE) !== 0 ? handle : undefined;
  putAttrReply(reply, fileSystem.getattr(context, request.node, known));
}

function setattr({ fileSystem, request, context, reply }: Call): void {
  const { change, handle } = takeChange(request);
  putAttrReply(reply, fileSystem.setattr(context, request.node, change, handle));
}

function access({ fileSystem, request, context }: Call): void {
  const mask = request.u32();
  request.skip(4).end();
  fileSystem.access(context, request.node, mask);
}

function readlink({ fileSystem, request, context, reply }: Call): void {
  request.end();
  reply.append(Buffer.from(fileSystem.readlink(context, request.node), 'utf8'));
}

function statfs({ fileSystem, request, context, reply }: Call): void {
  request.end();
  const size = fileSystem.statfs(context, request.node);
  reply.u64(size.blocks).u64(size.blocksFree).u64(size.blocksAvailable).u64(size.files).u64(size.filesFree);
  reply.u32(size.blockSize).u32(size.nameMax).u32(size.blockSize).zeros(28);
}
