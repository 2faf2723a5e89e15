import { CortexError } from '@cortexfs/abi/errors';
import type { EventBody } from '@cortexfs/abi/frames/event';
import { eventId } from '@cortexfs/abi/frames/event-id';
import { encodeFrame } from '@cortexfs/abi/jsonl';
import type { RunId } from '@cortexfs/abi/names';

/** One line of events.jsonl as it is read back for repair: trusted in its head, looked at with care in the rest. */
export interface StoredEvent {
  readonly id: string;
  readonly seq: number;
  readonly ts: string;
  readonly type: string;
  readonly run?: RunId;
  readonly [key: string]: unknown;
}

/**
 * The id, seq, ts, type and run keys always come first, in this order, so that a reader can stop after them.
 * EMSGSIZE when the line would be over the limit of a frame.
 */
export function formatEvent(seq: number, ts: string, body: EventBody): Buffer {
  const { type, run, ...rest } = { run: undefined, ...body };
  return encodeFrame({ id: eventId(seq), seq, ts, type, run, ...rest });
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
