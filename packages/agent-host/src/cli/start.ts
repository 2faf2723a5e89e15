import { describeRole } from '../launch/remains.ts';
import { requireMount, siteOf } from '../launch/site.ts';
import { type StartReport, startAgent } from '../launch/start.ts';
import { chooseSupervisor } from '../supervisor/choice.ts';
import type { Arguments } from './arguments.ts';

export async function start(args: Arguments): Promise<number> {
  const site = siteOf(args);
  requireMount(site);
  const report = await startAgent({
    site,
    name: args.name!,
    session: args.session,
    workspace: args.workspace,
    cwd: args.cwd,
    mounts: args.mounts,
    command: args.after,
    supervisor: await chooseSupervisor(args.supervisor),
  });
  process.stdout.write(args.json ? `${JSON.stringify(report)}\n` : inWords(report));
  return 0;
}

function inWords({ agent, already, instances, found, workspace }: StartReport): string {
  const state = already ? 'is already running' : 'is ready';
  return [
    ...found.map((what) => `found: ${what}`),
    `${agent} ${state}, ${workspace === null ? 'without a workspace' : `/workspace is ${workspace}`}`,
    ...instances.map(
      (one) => `  ${describeRole(one)}: pid ${one.pid}${one.unit === null ? '' : ` in ${one.unit}`}`,
    ),
    '',
  ].join('\n');
}
