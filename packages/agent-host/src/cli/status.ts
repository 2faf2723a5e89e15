import { describeRole } from '../launch/remains.ts';
import { siteOf } from '../launch/site.ts';
import { type AgentState, agentNames, agentState } from '../launch/status.ts';
import type { Arguments } from './arguments.ts';

/** One agent as an object, all of them as a list. */
export async function status(args: Arguments): Promise<number> {
  const site = siteOf(args);
  const states = (args.name === undefined ? agentNames(site) : [args.name]).map((name) =>
    agentState(site, name),
  );
  const report = args.name === undefined ? states : states[0];
  process.stdout.write(
    args.json ? `${JSON.stringify(report)}\n` : states.map(inWords).join('') || 'there are no agents\n',
  );
  return 0;
}

function inWords({ agent, status, instances, damaged }: AgentState): string {
  return [
    `${agent}: ${status}`,
    ...instances.map(
      (one) => `  ${describeRole(one)}: pid ${one.pid}${one.alive ? '' : ' (ended without cleaning up)'}`,
    ),
    ...damaged.map((file) => `  damaged receipt: ${file}`),
    '',
  ].join('\n');
}
