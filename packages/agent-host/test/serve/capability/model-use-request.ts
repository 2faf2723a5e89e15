import { type ModelUseRequest, parseCapabilityRequest } from '@cortexfs/abi/frames/capability';
import type { JsonArray } from '@cortexfs/abi/json';

/** A `model.use` whose last message is a text of the user, or parts of a tool's. */
export function modelUse(content: string | JsonArray, model?: string): ModelUseRequest {
  const messages = [{ role: typeof content === 'string' ? 'user' : 'tool', content }];
  const frame = { op: 'model.use', request_id: 'r', messages, ...(model === undefined ? {} : { model }) };
  return parseCapabilityRequest(frame, 100) as ModelUseRequest;
}
