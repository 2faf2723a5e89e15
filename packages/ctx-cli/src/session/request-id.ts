import { randomUUID } from 'node:crypto';
import { parseRequestId, type RequestId } from '@cortexfs/abi/names';

/** A request id that no other client has used. */
export function newRequestId(prefix: 'msg' | 'cancel'): RequestId {
  return parseRequestId(`${prefix}-${randomUUID()}`);
}
