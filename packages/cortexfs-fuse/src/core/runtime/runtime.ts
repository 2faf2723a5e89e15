import { type AgentStatus, status as statusCodec } from '@cortexfs/abi/controls/status';
import type { ObjectName } from '@cortexfs/abi/names';
import { type RuntimeTree, runtimeTree } from '@cortexfs/abi/paths';
import { type CleanupReceipt, parseCleanupReceipt } from '@cortexfs/abi/receipt/cleanup';
import { parseLaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { isAlive } from '@cortexfs/linux/process';
import { ObjectLog } from './object-log.ts';
import { readSmallFile } from './small-file.ts';

/** What runs now, from the receipts in the runtime tree. Nothing is believed on a pid's number alone. */
export class Runtime {
  readonly root: string;
  readonly logs: ObjectLog;
  readonly #tree: RuntimeTree;

  constructor(root: string) {
    this.root = root;
    this.#tree = runtimeTree(root);
    this.logs = new ObjectLog(root);
  }

  /** The socket host's pid while the very process of the launch receipt lives. */
  pid(agent: ObjectName): number | undefined {
    const receipt = read(this.#tree.socketReceipt(agent), parseLaunchReceipt);
    if (receipt === undefined || receipt.agent !== agent) return undefined;
    return isAlive(receipt.pid, receipt.start_time) ? receipt.pid : undefined;
  }

  /** What the host says of itself while it lives, else `dead`. */
  status(agent: ObjectName): AgentStatus {
    if (this.pid(agent) === undefined) return 'dead';
    return read(this.#tree.agentStatus(agent), statusCodec.parse) ?? 'start';
  }

  /** The receipt of the last stop. */
  cleanup(agent: ObjectName): CleanupReceipt | undefined {
    return read(this.#tree.cleanupReceipt(agent), parseCleanupReceipt);
  }
}

function read<T>(path: string, parse: (text: string) => T): T | undefined {
  const text = readSmallFile(path);
  try {
    return text === undefined ? undefined : parse(text);
  } catch {
    // A receipt that cannot be read proves nothing; `ctx doctor` reports it.
    return undefined;
  }
}
