import { parseJsonObject } from '../json.ts';
import { type ObjectName, parseObjectName, parseSessionName, type SessionName } from '../names.ts';
import {
  absolutePath,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  parsed,
  type Reader,
  readAs,
  text,
} from '../shape.ts';
import { parseTimestamp, type Timestamp } from '../timestamp.ts';

export const LAUNCH_SCHEMA = 'cortexfs.launch/v1';

/** Which process an instance is, so that stopping it can prove that it signals that one. See docs/receipts.md. */
export interface LaunchReceipt {
  schema: typeof LAUNCH_SCHEMA;
  agent: ObjectName;
  session: SessionName;
  role: 'socket' | 'terminal';
  supervisor: 'systemd' | 'direct';
  /** The systemd unit and its invocation id; null under the direct supervisor. */
  unit: string | null;
  invocation: string | null;
  pid: number;
  /** Clock ticks after boot, field 22 of /proc/PID/stat. */
  start_time: number;
  /** /proc/sys/kernel/random/boot_id, so that a receipt from before a reboot proves nothing. */
  boot_id?: string;
  uid: number;
  gid: number;
  groups: number[];
  label: string;
  /** The real socket, absolute. */
  socket: string;
  /** The caller's directory behind /workspace; null when there is none. */
  workspace: string | null;
  /** What the start chose beside the controls; absent when it chose nothing. */
  cwd?: string;
  /** `SOURCE:TARGET:MODE` each. */
  mounts?: string[];
  /** Of a terminal: the tool that tsh runs in it, with its arguments. */
  command?: string[];
  created_at: Timestamp;
}

export function parseLaunchReceipt(json: string): LaunchReceipt {
  return readAs('launch receipt', launch, parseJsonObject(json));
}

export function formatLaunchReceipt(receipt: LaunchReceipt): string {
  return `${JSON.stringify(receipt)}\n`;
}

const id = integer(0, 0xffff_fffe);

const launch: Reader<LaunchReceipt> = object(
  {
    schema: oneOf(LAUNCH_SCHEMA),
    agent: parsed(parseObjectName),
    session: parsed(parseSessionName),
    role: oneOf('socket', 'terminal'),
    supervisor: oneOf('systemd', 'direct'),
    unit: nullable(text()),
    invocation: nullable(text()),
    pid: integer(1),
    start_time: integer(),
    boot_id: optional(text()),
    uid: id,
    gid: id,
    groups: list(id),
    label: text(),
    socket: absolutePath,
    workspace: nullable(absolutePath),
    cwd: optional(absolutePath),
    mounts: optional(list(text())),
    command: optional(list(text())),
    created_at: parsed(parseTimestamp),
  },
  { strict: true },
);
