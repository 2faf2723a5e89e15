import { CortexError } from '@cortexfs/abi/errors';
import type { JsonObject } from '@cortexfs/abi/json';
import type { CallId, ObjectName, RunId } from '@cortexfs/abi/names';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** `arguments` is what the call was made with, so that later runs can show the model the pair. */
export interface ToolResultPart {
  readonly type: 'tool_result';
  readonly tool_call_id: CallId;
  readonly name: ObjectName;
  readonly status: 'ok' | 'error';
  readonly content: string;
  readonly arguments?: JsonObject;
}

export interface MessageBody {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly run: RunId;
  readonly content: readonly (TextPart | ToolResultPart)[];
}

/** One line of messages.jsonl (docs/host.md, "Messages"); `id` is `m<seq>`, seq as in the event log. */
export interface StoredMessage extends MessageBody {
  readonly id: string;
  readonly ts: string;
}

export function formatMessage(seq: number, ts: string, { role, run, content }: MessageBody): Buffer {
  return Buffer.from(`${JSON.stringify({ id: `m${seq}`, ts, role, run, content })}\n`);
}

export function parseMessage(line: Buffer): StoredMessage {
  return JSON.parse(line.toString('utf8')) as StoredMessage;
}

export function readMessageSeq(line: Buffer): number {
  const match = /^\{"id":"m(\d+)",/.exec(line.toString('latin1', 0, 40));
  if (match !== null) return Number(match[1]);
  throw new CortexError('EIO', `not a message line: ${line.toString('latin1', 0, 40)}`, { layer: 'session' });
}
