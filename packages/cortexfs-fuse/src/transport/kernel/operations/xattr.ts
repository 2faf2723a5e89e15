import { CortexError } from '@cortexfs/abi/errors';
import type { Call, Operation } from '../session.ts';
import { OPCODE } from '../wire/opcode.ts';

/** Operations on extended attributes. */
export const xattrOperations: [number, Operation][] = [
  [OPCODE.GETXATTR, getxattr],
  [OPCODE.LISTXATTR, listxattr],
  [OPCODE.SETXATTR, setxattr],
  [OPCODE.REMOVEXATTR, removexattr],
];

function getxattr(call: Call): void {
  const { fileSystem, request, context } = call;
  const size = request.u32();
  const name = request.skip(4).text();
  request.end();
  answer(call, size, fileSystem.getxattr(context, request.node, name));
}

function listxattr(call: Call): void {
  const { fileSystem, request, context } = call;
  const size = request.u32();
  request.skip(4).end();
  const names = fileSystem.listxattr(context, request.node);
  answer(call, size, Buffer.from(names.map((name) => `${name}\0`).join(''), 'utf8'));
}

function setxattr({ fileSystem, request, context }: Call): void {
  const size = request.u32();
  const flags = request.u32();
  const name = request.text();
  const value = request.take(size);
  request.end();
  fileSystem.setxattr(context, request.node, name, value, flags);
}

function removexattr({ fileSystem, request, context }: Call): void {
  const name = request.text();
  request.end();
  fileSystem.removexattr(context, request.node, name);
}

/** Size 0 asks for the length alone. */
function answer({ reply }: Call, size: number, value: Buffer): void {
  if (size === 0) reply.u32(value.length).u32(0);
  else if (value.length > size) throw new CortexError('ERANGE', 'the buffer is too small for the value');
  else reply.append(value);
}
