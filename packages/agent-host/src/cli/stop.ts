import { isOwn } from '../launch/own.ts';
import { describeRole } from '../launch/remains.ts';
import { siteOf } from '../launch/site.ts';
import { agentNames } from '../launch/status.ts';
import { type StopReport, stopAgent } from '../launch/stop.ts';
import type { Arguments } from './arguments.ts';

/** One report, or a list of them with `--all`. */
export async function stop(args: Arguments): Promise<number> {
  const site = siteOf(args);
  const names = args.all ? agentNames(site).filter((name) => isOwn(site, name)) : [args.name!];
  const reports = [];
  for (const name of names) reports.push(await stopAgent(site, name, 'agent-host stop'));
  const shown = args.all ? reports : reports[0];
  process.stdout.write(
    args.json ? `${JSON.stringify(shown)}\n` : reports.map(inWords).join('') || 'there are no agents\n',
  );
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
