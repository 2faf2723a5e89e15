import { CortexError } from '@cortexfs/abi/errors';
import type { Call, Operation } from '../session.ts';
import { OPCODE } from '../wire/opcode.ts';

/** Operations that take names away or move them. */
export const nameOperations: [number, Operation][] = [
  [OPCODE.UNLINK, unlink],
  [OPCODE.RMDIR, rmdir],
  [OPCODE.RENAME, (call) => rename(call, false)],
  [OPCODE.RENAME2, (call) => rename(call, true)],
];

const RENAME_NOREPLACE = 1;
const RENAME_EXCHANGE = 2;

function unlink({ fileSystem, request, context }: Call): void {
  const name = request.name();
  request.end();
  fileSystem.unlink(context, request.node, name);
}

function rmdir({ fileSystem, request, context }: Call): void {
  const name = request.name();
  request.end();
  fileSystem.rmdir(context, request.node, name);
}

function rename({ fileSystem, request, context }: Call, hasFlags: boolean): void {
  const newParent = request.u64();
  const flags = hasFlags ? request.u32() : 0;
  if (hasFlags) request.skip(4);
  const name = request.name();
  const newName = request.name();
  request.end();
  if (flags !== 0 && flags !== RENAME_NOREPLACE && flags !== RENAME_EXCHANGE) {
    throw new CortexError('EINVAL', 'rename knows no such flags');
  }
  fileSystem.rename(context, request.node, name, newParent, newName, flags);
}
