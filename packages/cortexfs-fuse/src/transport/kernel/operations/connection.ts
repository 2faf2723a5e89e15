import type { Call, Operation, Outcome } from '../session.ts';
import { isAgreed, putAnswer, takeOffer } from '../wire/init.ts';
import { OPCODE } from '../wire/opcode.ts';

/** Operations about the connection itself. */
export const connectionOperations: [number, Operation][] = [
  [OPCODE.INIT, init],
  [OPCODE.DESTROY, () => {}],
  [OPCODE.FORGET, forget],
  [OPCODE.BATCH_FORGET, batchForget],
  // Every request is answered without waiting for other processes, so an interrupted one needs no help.
  [OPCODE.INTERRUPT, () => 'silent'],
];

/** Requests that the kernel expects no reply to, not even an error. */
export const SILENT: ReadonlySet<number> = new Set([OPCODE.FORGET, OPCODE.BATCH_FORGET, OPCODE.INTERRUPT]);

function init({ session, request, reply }: Call): void {
  const offer = takeOffer(request);
  putAnswer(reply, offer);
  session.agreed = isAgreed(offer);
}

function forget({ fileSystem, request }: Call): Outcome {
  const count = request.u64();
  request.end();
  fileSystem.forget(request.node, count);
  return 'silent';
}

function batchForget({ fileSystem, request }: Call): Outcome {
  const count = request.u32();
  request.skip(4);
  for (let i = 0; i < count; i++) fileSystem.forget(request.u64(), request.u64());
  request.end();
  return 'silent';
}
