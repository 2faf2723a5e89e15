import type { CommandModule } from '../../command/command.ts';
import { handOverTo } from '../../peer/hand-over.ts';

/** `ctx agent start|stop|status|ps|prompt|tools|env …` is `agent-host` with the same words. */
export function handOver(verb: string): CommandModule {
  return { run: ({ operands }) => handOverTo('agent-host', [verb, ...operands]) };
}
