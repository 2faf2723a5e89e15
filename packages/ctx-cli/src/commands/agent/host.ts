import type { CommandModule } from '../../command/command.ts';
import { handOverTo } from '../../peer/hand-over.ts';

/** `ctx agent start|stop|status …` is `agent-host start|stop|status …`. */
export function handOver(verb: string): CommandModule {
  return { run: ({ operands }) => handOverTo('agent-host', [verb, ...operands]) };
}
