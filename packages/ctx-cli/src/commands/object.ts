import type { Invocation } from '../command/command.ts';
import { handOverTo } from '../peer/hand-over.ts';

/** `ctx object …` is `object-installer …`. */
export function run({ operands }: Invocation): Promise<number> {
  return handOverTo('object-installer', operands);
}
