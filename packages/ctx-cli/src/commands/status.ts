import { readdirSync, readFileSync } from 'node:fs';
import { ROOT_ENTRIES } from '@cortexfs/abi/paths';
import { mountReceipt } from '@cortexfs/linux/mount-receipt';
import { findPlace } from '@cortexfs/linux/place';
import type { Invocation } from '../command/command.ts';
import { agentNames } from '../place/agents.ts';
import { faultOf } from '../place/root.ts';

interface AgentLine {
  readonly name: string;
  /** The uid that starts and stops it; null when it cannot be read. */
  readonly owner: number | null;
  readonly status: string;
  readonly sessions: number;
}

/** `ctx status`: the mount, the agents with their state and number of sessions, and what to try next. Exit 69 without a live root. */
export async function run(invocation: Invocation): Promise<number> {
  const place = findPlace(invocation.root);
  const { root } = place;
  const fault = faultOf(place);
  const agents = fault ? [] : agentLines(root);
  const transport = mountReceipt(place.mountRuntime)?.transport;
  const next = fault?.hint ?? suggestion(agents);
  if (invocation.json) {
    const report = {
      root,
      ready: fault === undefined,
      ...(fault ? { fault: fault.what } : { transport }),
      store: place.store,
      agents,
      next,
    };
    process.stdout.write(`${JSON.stringify(report)}\n`);
  } else {
    process.stdout.write(
      `root    ${root} (${fault?.what ?? `ready, ${transport ?? 'foreign'}`})\nstore   ${place.store}\n`,
    );
    for (const { name, owner, status, sessions } of agents) {
      const whose = owner === process.geteuid!() ? '' : `, of uid ${owner}`;
      process.stdout.write(
        `agent   ${name.padEnd(16)} ${status.padEnd(8)} ${sessions} session${sessions === 1 ? '' : 's'}${whose}\n`,
      );
    }
    process.stdout.write(`try     ${next}\n`);
  }
  return fault ? 69 : 0;
}

function agentLines(root: string): AgentLine[] {
  return agentNames(root).map((name) => {
    const owner = ownerOf(root, name);
    return { name, owner, status: statusOf(root, name), sessions: countSessions(root, name, owner) };
  });
}

function statusOf(root: string, name: string): string {
  return readOr(`${root}/agent/${name}.d/status`, 'unknown');
}

function ownerOf(root: string, name: string): number | null {
  const owner = readOr(`${root}/agent/${name}.d/owner`, '');
  return /^\d+$/.test(owner) ? Number(owner) : null;
}

/** Sessions below the owner's home; those of somebody else's agents cannot be read and count as none. */
function countSessions(root: string, name: string, owner: number | null): number {
  try {
    return readdirSync(`${root}/home/${owner}/agent/${name}/session`).filter((entry) => entry !== 'index')
      .length;
  } catch {
    return 0;
  }
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return otherwise;
  }
}

function suggestion(all: readonly AgentLine[]): string {
  if (all.length === 0) return `ctx bootstrap (the root shows ${ROOT_ENTRIES.length} entries, and no agent)`;
  const agents = all.filter(({ owner }) => owner === process.geteuid!());
  if (agents.length === 0) return 'ask root to make an agent yours (docs/system.md)';
  const running = preferred(
    agents.filter(({ status }) => status === 'idle' || status === 'ready' || status === 'busy'),
  );
  return running ? `ctx agent chat ${running.name}` : `ctx agent start ${preferred(agents)!.name}`;
}

/** The agent that the first run talks to, else the first one. */
function preferred(agents: readonly AgentLine[]): AgentLine | undefined {
  return agents.find(({ name }) => name === 'coder') ?? agents[0];
}
