import type { Invocation } from '../../command/command.ts';
import { visitTerminal } from '../../terminal/visit.ts';

/** `ctx agent watch NAME`. */
export function run(invocation: Invocation): Promise<number> {
  return visitTerminal(invocation, 'watch');
}
