import { parseJsonObject } from '../json.ts';
import { type ObjectName, parseObjectName, parseSessionName, type SessionName } from '../names.ts';
import { integer, list, object, oneOf, optional, parsed, type Reader, readAs, text } from '../shape.ts';
import { parseTimestamp, type Timestamp } from '../timestamp.ts';

export const CLEANUP_SCHEMA = 'cortexfs.cleanup/v1';

/** What became of one instance when its agent was stopped. */
export interface CleanedInstance {
  role: 'socket' | 'terminal';
  session: SessionName;
  pid: number;
  start_time: number;
  /** `gone`: it was not running any more. `refused`: the process under that pid is another one. */
  outcome: 'exited' | 'terminated' | 'killed' | 'gone' | 'refused';
  detail?: string;
}

/** The last stop of an agent, shown in its meta.json. See docs/receipts.md. */
export interface CleanupReceipt {
  schema: typeof CLEANUP_SCHEMA;
  agent: ObjectName;
  reason: string;
  instances: CleanedInstance[];
  stopped_at: Timestamp;
}

export function parseCleanupReceipt(json: string): CleanupReceipt {
  return readAs('cleanup receipt', cleanup, parseJsonObject(json));
}

export function formatCleanupReceipt(receipt: CleanupReceipt): string {
  return `${JSON.stringify(receipt)}\n`;
}

const instance: Reader<CleanedInstance> = object(
  {
    role: oneOf('socket', 'terminal'),
    session: parsed(parseSessionName),
    pid: integer(1),
    start_time: integer(),
    outcome: oneOf('exited', 'terminated', 'killed', 'gone', 'refused'),
    detail: optional(text()),
  },
  { strict: true },
);

const cleanup: Reader<CleanupReceipt> = object(
  {
    schema: oneOf(CLEANUP_SCHEMA),
    agent: parsed(parseObjectName),
    reason: text(),
    instances: list(instance),
    stopped_at: parsed(parseTimestamp),
  },
  { strict: true },
);
