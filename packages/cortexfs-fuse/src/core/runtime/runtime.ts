import { type AgentStatus, status as statusCodec } from '@cortexfs/abi/controls/status';
import type { ObjectName } from '@cortexfs/abi/names';
import { runtimeTree } from '@cortexfs/abi/paths';
import { type CleanupReceipt, parseCleanupReceipt } from '@cortexfs/abi/receipt/cleanup';
import { parseLaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { isAlive } from '@cortexfs/linux/process';

/** Reads a small file of a runtime tree by its path in there; undefined when there is none that can be used. */
export type ReadRuntimeFile = (path: string) => string | undefined;

const tree = runtimeTree('.');

/** What runs now, from the receipts in one runtime tree. Nothing is believed on a pid's number alone. */
export class Runtime {
  readonly #read: ReadRuntimeFile;
  readonly #isPossible: (pid: number) => boolean;

  /** `isPossible` refuses processes that a receipt of this tree cannot be about. */
  constructor(read: ReadRuntimeFile, isPossible: (pid: number) => boolean = () => true) {
    this.#read = read;
    this.#isPossible = isPossible;
  }

  /** The socket host's pid while the very process of the launch receipt lives. */
  pid(agent: ObjectName): number | undefined {
    const receipt = this.#load(tree.socketReceipt(agent), parseLaunchReceipt);
    if (receipt === undefined || receipt.agent !== agent) return undefined;
    const { pid, start_time } = receipt;
    return isAlive(pid, start_time) && this.#isPossible(pid) ? pid : undefined;
  }

  /** What the host says of itself while it lives, else `dead`. */
  status(agent: ObjectName): AgentStatus {
    if (this.pid(agent) === undefined) return 'dead';
    return this.#load(tree.agentStatus(agent), statusCodec.parse) ?? 'start';
  }

  /** The receipt of the last stop. */
  cleanup(agent: ObjectName): CleanupReceipt | undefined {
    return this.#load(tree.cleanupReceipt(agent), parseCleanupReceipt);
  }

  #load<T>(path: string, parse: (text: string) => T): T | undefined {
    const text = this.#read(path);
    try {
      return text === undefined ? undefined : parse(text);
    } catch {
      // A receipt that cannot be read proves nothing; `ctx doctor` reports it.
      return undefined;
    }
  }
}
