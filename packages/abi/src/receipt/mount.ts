import { parseJsonObject } from '../json.ts';
import {
  absolutePath,
  integer,
  object,
  oneOf,
  optional,
  parsed,
  type Reader,
  readAs,
  text,
} from '../shape.ts';
import { parseTimestamp, type Timestamp } from '../timestamp.ts';

export const MOUNT_SCHEMA = 'cortexfs.mount/v1';

/** Which process serves which store where; written when the mount answers. See docs/receipts.md. */
export interface MountReceipt {
  schema: typeof MOUNT_SCHEMA;
  pid: number;
  /** Clock ticks after boot, field 22 of /proc/PID/stat. */
  start_time: number;
  boot_id?: string;
  /** The store. */
  source: string;
  /** The mount point. */
  root: string;
  transport: 'kernel' | 'fuse-native' | 'plain';
  /** The interpreter that objects name in their first line. */
  runner: string;
  uid: number;
  created_at: Timestamp;
}

export function parseMountReceipt(json: string): MountReceipt {
  return readAs('mount receipt', mount, parseJsonObject(json));
}

export function formatMountReceipt(receipt: MountReceipt): string {
  return `${JSON.stringify(receipt)}\n`;
}

const mount: Reader<MountReceipt> = object(
  {
    schema: oneOf(MOUNT_SCHEMA),
    pid: integer(1),
    start_time: integer(),
    boot_id: optional(text()),
    source: absolutePath,
    root: absolutePath,
    transport: oneOf('kernel', 'fuse-native', 'plain'),
    runner: absolutePath,
    uid: integer(0, 0xffff_fffe),
    created_at: parsed(parseTimestamp),
  },
  { strict: true },
);
