import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runtimeTree } from '@cortexfs/abi/paths';
import { parseLaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { isAlive } from '@cortexfs/linux/process';

/** The launch receipt of one instance of an agent, and whether the process that it names still runs. */
export interface Launch {
  readonly agent: string;
  /** The receipt's file name: `socket.json` or `terminal-SESSION.json`. */
  readonly name: string;
  readonly running: boolean;
}

/** The launch receipts of a runtime directory, by agent and name. One that cannot be read proves no process. */
export function launches(runtime: string): Launch[] {
  const { launchRoot } = runtimeTree(runtime);
  return namesIn(launchRoot).flatMap((agent) =>
    namesIn(join(launchRoot, agent))
      .filter((name) => name === 'socket.json' || /^terminal-.*\.json$/.test(name))
      .map((name) => ({ agent, name, running: runs(join(launchRoot, agent, name)) })),
  );
}

function runs(file: string): boolean {
  try {
    const { pid, start_time } = parseLaunchReceipt(readFileSync(file, 'utf8'));
    return isAlive(pid, start_time);
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
