import { CortexError } from '@cortexfs/abi/errors';
import type { Entry } from '../../../core/file-system.ts';
import type { Call, Operation } from '../session.ts';
import { putEntry } from '../wire/attributes.ts';
import { TARGET_MAX } from '../wire/name.ts';
import { OPCODE } from '../wire/opcode.ts';

/** Operations that resolve or make a name and answer with its node. */
export const entryOperations: [number, Operation][] = [
  [OPCODE.LOOKUP, lookup],
  [OPCODE.MKNOD, mknod],
  [OPCODE.MKDIR, mkdir],
  [OPCODE.SYMLINK, symlink],
  [OPCODE.LINK, link],
];

function lookup(call: Call): void {
  const { fileSystem, request, context } = call;
  const name = request.name();
  request.end();
  answer(call, fileSystem.lookup(context, request.node, name));
}

function mknod(call: Call): void {
  const { fileSystem, request, context } = call;
  const mode = request.u32();
  const rdev = request.u32();
  const name = request.skip(8).name();
  request.end();
  answer(call, fileSystem.mknod(context, request.node, name, mode, rdev));
}

function mkdir(call: Call): void {
  const { fileSystem, request, context } = call;
  const mode = request.u32();
  const name = request.skip(4).name();
  request.end();
  answer(call, fileSystem.mkdir(context, request.node, name, mode));
}

function symlink(call: Call): void {
  const { fileSystem, request, context } = call;
  const name = request.name();
  const target = request.text();
  request.end();
  if (Buffer.byteLength(target) > TARGET_MAX)
    throw new CortexError('ENAMETOOLONG', 'the target is longer than 4095 bytes');
  answer(call, fileSystem.symlink(context, request.node, name, target));
}

function link(call: Call): void {
  const { fileSystem, request, context } = call;
  const node = request.u64();
  const name = request.name();
  request.end();
  answer(call, fileSystem.link(context, node, request.node, name));
}

function answer({ session, fileSystem, reply }: Call, entry: Entry): void {
  session.takeBack = () => fileSystem.forget(entry.node, 1);
  putEntry(reply, entry);
}
