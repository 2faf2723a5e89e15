import { CortexError } from '@cortexfs/abi/errors';

/** What the host records; `id`, `seq` and `ts` are added by the log. */
export interface EventBody {
  readonly type: string;
  readonly run?: string;
  readonly [key: string]: unknown;
}

/** One line of events.jsonl: exactly the frame that clients receive. */
export interface StoredEvent extends EventBody {
  readonly id: string;
  readonly seq: number;
  readonly ts: string;
}

/** The id, seq, ts, type and run keys always come first, in this order, so that a reader can stop after them. */
export function formatEvent(seq: number, ts: string, body: EventBody): Buffer {
  const { type, run, ...rest } = body;
  return Buffer.from(`${JSON.stringify({ id: `e${seq}`, seq, ts, type, run, ...rest })}\n`);
}

export function parseEvent(line: Buffer): StoredEvent {
  return JSON.parse(line.toString('utf8')) as StoredEvent;
}

const HEAD_BYTES = 320;
const HEAD = /^\{"id":"e(\d+)","seq":\1,"ts":"[^"\\]*","type":"([^"\\]*)"(?:,"run":"([^"\\]*)")?[,}]/;

export interface EventHead {
  readonly seq: number;
  readonly type: string;
  readonly run: string | undefined;
}

/** The leading keys of a line without parsing the rest, which may be 1 MiB. */
export function readHead(line: Buffer): EventHead {
  const match = HEAD.exec(line.toString('latin1', 0, Math.min(HEAD_BYTES, line.length)));
  if (match === null) {
    throw new CortexError('EIO', `not an event line: ${line.toString('latin1', 0, 40)}`, {
      layer: 'session',
    });
  }
  return { seq: Number(match[1]), type: match[2]!, run: match[3] };
}

export function readSeq(line: Buffer): number {
  return readHead(line).seq;
}

/** The seq of an `e<seq>` id; undefined when it is not one. */
export function seqOfId(id: string): number | undefined {
  const match = /^e([1-9]\d{0,14})$/.exec(id);
  return match === null ? undefined : Number(match[1]);
}
