import { readdirSync, readFileSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import { runtimeTree } from '@cortexfs/abi/paths';
import {
  formatLaunchReceipt,
  LAUNCH_SCHEMA,
  type LaunchReceipt,
  parseLaunchReceipt,
} from '@cortexfs/abi/receipt/launch';
import { formatTimestamp } from '@cortexfs/abi/timestamp';
import { writeDurable } from '@cortexfs/linux/durable-write';
import { isAlive, startTimeOf } from '@cortexfs/linux/process';
import { recordedChoice } from './choice.ts';
import type { InstanceIdentity } from './instance.ts';

/** A receipt of this process for a role, as it will be written. */
export function ownReceipt(identity: InstanceIdentity, socket: string): LaunchReceipt {
  const { definition, role, session, workspace, unit } = identity;
  const { name, uid, gid, groups, label } = definition;
  const startTime = startTimeOf(process.pid);
  if (startTime === undefined)
    throw new CortexError('EIO', '/proc does not show this process', { layer: 'runtime' });
  return {
    schema: LAUNCH_SCHEMA,
    agent: name,
    session,
    role,
    supervisor: unit === undefined ? 'direct' : 'systemd',
    unit: unit ?? null,
    invocation: (unit !== undefined && process.env['INVOCATION_ID']) || null,
    pid: process.pid,
    start_time: startTime,
    boot_id: bootId(),
    uid,
    gid,
    groups: [...groups],
    label: label.text,
    socket,
    workspace,
    ...recordedChoice(role, identity),
    created_at: formatTimestamp(Date.now()),
  };
}

export async function writeReceipt(path: string, receipt: LaunchReceipt): Promise<void> {
  await writeDurable(path, formatLaunchReceipt(receipt), { mode: 0o600 });
}

/** undefined when there is none, or when it cannot be read as one. */
export function readReceipt(path: string): LaunchReceipt | undefined {
  try {
    return parseLaunchReceipt(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export interface FoundReceipt {
  file: string;
  /** undefined when the file is damaged: it proves nothing, and nothing is signalled for it. */
  receipt: LaunchReceipt | undefined;
  alive: boolean;
}

/** Every launch receipt of an agent, the socket host's first. */
export function receiptsOf(runtime: string, name: ObjectName): FoundReceipt[] {
  const directory = runtimeTree(runtime).launchDir(name);
  return names(directory)
    .filter((file) => /^(socket|terminal-.+)\.json$/.test(file))
    .sort()
    .map((file) => {
      const receipt = readReceipt(`${directory}/${file}`);
      return { file: `${directory}/${file}`, receipt, alive: receipt !== undefined && isRunning(receipt) };
    });
}

/** A receipt from before a reboot may carry a pid and start time that another process has now. */
export function isRunning({ pid, start_time, boot_id }: LaunchReceipt): boolean {
  return (boot_id === undefined || boot_id === bootId()) && isAlive(pid, start_time);
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
