import type { ObjectName } from '@cortexfs/abi/names';
import { ageOf } from '@cortexfs/linux/process';
import { loadDefinition } from '../definition/load.ts';
import type { Site } from '../launch/instance.ts';
import { describeRole } from '../launch/remains.ts';
import { siteOf } from '../launch/site.ts';
import { agentNames, agentState, type InstanceState } from '../launch/status.ts';
import type { Arguments } from './arguments.ts';
import { ProcessTree } from './process-tree.ts';

interface PsInstance extends Pick<InstanceState, 'role' | 'pid' | 'session'> {
  readonly uptime_s: number;
  /** Memory of the process and all below it that it shares with nobody, in bytes. */
  readonly memory: number;
}

export interface PsAgent {
  readonly agent: ObjectName;
  readonly status: string;
  /** null where the definition cannot be read. */
  readonly model: string | null;
  readonly parent: string | null;
  readonly instances: readonly PsInstance[];
}

/** `agent-host ps [NAME]`: the agents, children below their parents, each with the processes that its receipts name. */
export async function ps(args: Arguments): Promise<number> {
  const site = siteOf(args);
  const processes = new ProcessTree();
  const names = args.name === undefined ? agentNames(site) : [args.name];
  const agents = names.map((name) => describe(site, name, processes));
  process.stdout.write(args.json ? `${JSON.stringify(agents)}\n` : agentTree(agents));
  return 0;
}

function describe(site: Site, name: ObjectName, processes: ProcessTree): PsAgent {
  const { status, instances } = agentState(site, name);
  const running = instances.filter(({ alive }) => alive);
  return {
    agent: name,
    status,
    ...definitionOf(site, name),
    instances: running.map(({ role, pid, session }) => ({
      role,
      pid,
      session,
      uptime_s: Math.round(ageOf(pid) ?? 0),
      memory: processes.memoryOf(pid),
    })),
  };
}

/** A definition that is broken does not hide what runs. */
function definitionOf({ store }: Site, name: ObjectName): Pick<PsAgent, 'model' | 'parent'> {
  try {
    const { model, parent } = loadDefinition(store, name);
    return { model, parent: parent.kind === 'agent' ? parent.agent : null };
  } catch {
    return { model: null, parent: null };
  }
}

/** Children below their parent; who names none, or one that is not there, stands at the left. */
export function agentTree(agents: readonly PsAgent[]): string {
  const known = new Set<string>(agents.map(({ agent }) => agent));
  const shown = new Set<string>();
  const below = (parent: PsAgent | undefined, indent: string): string[] =>
    agents
      .filter((one) => !shown.has(one.agent) && isBelow(one, parent, known))
      .flatMap((one) => {
        shown.add(one.agent);
        return [...linesOf(one).map((line) => indent + line), ...below(one, `${indent}  `)];
      });
  const lines = below(undefined, '');
  // Parents that name each other in a circle are nobody's children.
  for (const one of agents) if (!shown.has(one.agent)) lines.push(...linesOf(one));
  return lines.map((line) => `${line}\n`).join('') || 'there are no agents\n';
}

function isBelow(one: PsAgent, parent: PsAgent | undefined, known: ReadonlySet<string>): boolean {
  if (parent !== undefined) return one.parent === parent.agent;
  return one.parent === null || !known.has(one.parent);
}

function linesOf({ agent, status, model, instances }: PsAgent): string[] {
  return [
    `${agent}  ${status}  model ${model ?? '?'}`,
    ...instances.map(
      (one, index) =>
        `${index === instances.length - 1 ? '└─' : '├─'} ${describeRole(one)}  pid ${one.pid}  session ${one.session}  up ${duration(one.uptime_s)}  ${mebibytes(one.memory)}`,
    ),
  ];
}

/** `45s`, `12m03s`, `3h05m`, `2d04h`. */
export function duration(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds}s`;
  if (hours === 0) return `${minutes}m${two(seconds % 60)}s`;
  return hours < 24 ? `${hours}h${two(minutes % 60)}m` : `${Math.floor(hours / 24)}d${two(hours % 24)}h`;
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}
