import { parseModelReference } from '@cortexfs/abi/names';
import { modelUse } from '../capability/model-use.ts';
import type { Model } from './model.ts';

/** A model as a sandbox sees it: whatever its driver, the host runs it. */
export function remoteModel(name: string, socket: string): Model {
  return {
    usage: `${name}: run by the host of this agent.
Input: text or {"messages":[…],"tools":[…]}, as arguments or on standard input.
`,
    answer: (input) => modelUse(socket, input, parseModelReference(name)),
  };
}
