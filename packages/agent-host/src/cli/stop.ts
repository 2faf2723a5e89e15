import { describeRole } from '../launch/remains.ts';
import { siteOf } from '../launch/site.ts';
import { type StopReport, stopAgent } from '../launch/stop.ts';
import type { Arguments } from './arguments.ts';

export async function stop(args: Arguments): Promise<number> {
  const report = await stopAgent(siteOf(args), args.name!, 'agent-host stop');
  process.stdout.write(args.json ? `${JSON.stringify(report)}\n` : inWords(report));
  return 0;
}

function inWords({ agent, instances, found }: StopReport): string {
  const state = instances.length === 0 ? 'was not running' : 'is stopped';
  return [
    ...found.map((what) => `found: ${what}`),
    `${agent} ${state}`,
    ...instances.map((one) => `  ${describeRole(one)}: pid ${one.pid} ${one.outcome}`),
    '',
  ].join('\n');
}
