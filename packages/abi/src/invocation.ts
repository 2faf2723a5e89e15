import { CortexError } from './errors.ts';
import { parseJsonObject } from './json.ts';
import { decodeUtf8, encodeFrame, MAX_FRAME_BYTES } from './jsonl.ts';
import {
  type CallId,
  type ObjectName,
  parseCallId,
  parseObjectName,
  parseRunId,
  type RunId,
} from './names.ts';
import { flag, integer, nullable, object, oneOf, parsed, type Reader, readAs, text } from './shape.ts';

export const INVOCATION_SCHEMA = 'cortexfs.agent-invocation/v1';
/** Most tool calls of one run; it starts at most one process more. */
export const MAX_TOOL_CALLS = 8;
/** Largest `input`, `history_messages` and `tool_context`, each in bytes. */
export const MAX_CONTEXT_BYTES = 64 * 1024;
/** Largest `observation.content` in bytes. */
export const MAX_OBSERVATION_BYTES = 16 * 1024;

/** The result of the tool call that ended the step before, as the host states it. */
export interface Observation {
  tool_call_id: CallId;
  name: ObjectName;
  status: 'ok' | 'error';
  content: string;
  /** Whether `content` is only the beginning of the result. */
  truncated: boolean;
}

/** What an agent's executable finds on its standard input, exactly once. See docs/invocation.md. */
export interface Invocation {
  schema: typeof INVOCATION_SCHEMA;
  run: RunId;
  /** 0 to 8. Step 0 has no observation, every later one has exactly one. */
  step: number;
  /** The user's message, the same in every step. */
  input: string;
  /** A JSON array of messages, oldest first: see `parseMessages` of model-io. */
  history_messages: string;
  tool_context: string;
  observation: Observation | null;
}

/**
 * The envelope: one JSON object, one newline, no other byte, to 1 MiB. Unknown and missing fields are EINVAL,
 * texts over their limit EMSGSIZE.
 */
export function parseInvocation(bytes: Uint8Array): Invocation {
  if (bytes.length > MAX_FRAME_BYTES)
    throw fault(`it has ${bytes.length} bytes; the limit is ${MAX_FRAME_BYTES}`, 'EMSGSIZE');
  if (bytes[0] !== openingBrace || bytes.at(-2) !== closingBrace || bytes.at(-1) !== newline)
    throw fault('expected one JSON object and one newline, without any other byte');
  return checked(readAs('invocation', invocation, parseJsonObject(decodeUtf8(bytes))));
}

/** The bytes of an envelope; a value that `parseInvocation` would refuse is refused here the same way. */
export function formatInvocation(value: Invocation): Buffer {
  const { schema, run, step, input, history_messages, tool_context, observation } = value;
  const line = encodeFrame({ schema, run, step, input, history_messages, tool_context, observation });
  parseInvocation(line);
  return line;
}

/** EINVAL unless the envelope belongs to the launch that the environment (CTX_RUN_ID, CTX_AGENT_STEP) tells. */
export function checkLaunch(
  { run, step }: Invocation,
  env: Readonly<Record<string, string | undefined>>,
): void {
  expectSame('run', run, 'CTX_RUN_ID', env['CTX_RUN_ID']);
  expectSame('step', String(step), 'CTX_AGENT_STEP', env['CTX_AGENT_STEP']);
}

function expectSame(field: string, value: string, variable: string, wanted: string | undefined): void {
  if (value === wanted) return;
  throw fault(
    `"${field}" is ${JSON.stringify(value)}, but ${variable} is ${wanted === undefined ? 'not set' : JSON.stringify(wanted)}`,
  );
}

function checked(value: Invocation): Invocation {
  if (value.step === 0 && value.observation !== null) throw fault('step 0 must have "observation":null');
  if (value.step > 0 && value.observation === null) throw fault(`step ${value.step} needs an observation`);
  return value;
}

function fault(why: string, code: 'EINVAL' | 'EMSGSIZE' = 'EINVAL'): CortexError {
  return new CortexError(code, `invalid invocation: ${why}`, { layer: 'agent' });
}

const openingBrace = 0x7b;
const closingBrace = 0x7d;
const newline = 0x0a;

const context = text({ maxBytes: MAX_CONTEXT_BYTES, nul: true });

const observation: Reader<Observation> = object(
  {
    tool_call_id: parsed(parseCallId),
    name: parsed(parseObjectName),
    status: oneOf('ok', 'error'),
    content: text({ maxBytes: MAX_OBSERVATION_BYTES, nul: true }),
    truncated: flag,
  },
  { strict: true },
);

const invocation: Reader<Invocation> = object(
  {
    schema: oneOf(INVOCATION_SCHEMA),
    run: parsed(parseRunId),
    step: integer(0, MAX_TOOL_CALLS),
    input: context,
    history_messages: context,
    tool_context: context,
    observation: nullable(observation),
  },
  { strict: true },
);
