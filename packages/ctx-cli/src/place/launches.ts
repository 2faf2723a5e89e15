import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectName } from '@cortexfs/abi/names';
import { agentSocket, runtimeTree } from '@cortexfs/abi/paths';
import { parseLaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { isAlive } from '@cortexfs/linux/process';

/** The launch receipt of one instance of an agent, and whether the process that it names still runs. */
export interface Launch {
  readonly agent: string;
  /** The receipt's file name: `socket.json` or `terminal-SESSION.json`. */
  readonly name: string;
  readonly running: boolean;
  /** The real socket; undefined when the receipt cannot be read. */
  readonly socket: string | undefined;
}

/**
 * The agents of a store that run, by the launches of its users. A user's agents of all roots keep their receipts in one place:
 * one whose socket another store's alias leads to is not this store's.
 */
export function runningAgents(store: string, all: readonly Launch[]): string[] {
  const running = all.filter((launch) => launch.running);
  const agents = [...new Set(running.map(({ agent }) => agent))];
  return agents.filter((name) => {
    const hosts = running.filter((launch) => launch.agent === name && launch.name === 'socket.json');
    const alias = targetOf(join(store, agentSocket(name as ObjectName)));
    return hosts.length === 0 || hosts.some(({ socket }) => socket === alias);
  });
}

/** The launch receipts of a runtime directory, by agent and name. One that cannot be read proves no process. */
export function launches(runtime: string): Launch[] {
  const { launchRoot } = runtimeTree(runtime);
  return namesIn(launchRoot).flatMap((agent) =>
    namesIn(join(launchRoot, agent))
      .filter((name) => name === 'socket.json' || /^terminal-.*\.json$/.test(name))
      .map((name) => ({ agent, name, ...factsOf(join(launchRoot, agent, name)) })),
  );
}

function factsOf(file: string): Pick<Launch, 'running' | 'socket'> {
  try {
    const { pid, start_time, socket } = parseLaunchReceipt(readFileSync(file, 'utf8'));
    return { running: isAlive(pid, start_time), socket };
  } catch {
    return { running: false, socket: undefined };
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
