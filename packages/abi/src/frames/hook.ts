import { type JsonObject, type JsonValue, parseJsonObject } from '../json.ts';
import {
  type ObjectName,
  parseObjectName,
  parseRunId,
  parseSessionName,
  type RunId,
  type SessionName,
} from '../names.ts';
import { integer, nullable, object, oneOf, parsed, type Reader, readAs } from '../shape.ts';

export const HOOK_SCHEMA = 'cortexfs.hook/v1';

/** The one frame on a hook's standard input. `session`, `run` and `step` are null outside of a run. */
export interface HookFrame {
  abi: typeof HOOK_SCHEMA;
  phase: 'pre' | 'post';
  /** `agent/NAME` or `tool/NAME`. */
  object: string;
  agent: ObjectName | null;
  session: SessionName | null;
  run: RunId | null;
  step: number | null;
  /** What the operation was given: the arguments of a tool call, the input of a run. */
  input: JsonValue;
}

/** See docs/sockets.md. */
export function parseHookFrame(json: string): HookFrame {
  const frame: JsonObject = parseJsonObject(json);
  return readAs('hook frame', hook, frame);
}

const objectPath: Reader<string> = parsed((path) => {
  const [className, name, ...rest] = path.split('/');
  oneOf('agent', 'tool')(className ?? '', 'object');
  return [className, parseObjectName([name, ...rest].join('/'))].join('/');
});

const hook: Reader<HookFrame> = object(
  {
    abi: oneOf(HOOK_SCHEMA),
    phase: oneOf('pre', 'post'),
    object: objectPath,
    agent: nullable(parsed(parseObjectName)),
    session: nullable(parsed(parseSessionName)),
    run: nullable(parsed(parseRunId)),
    step: nullable(integer()),
    input: (value) => value,
  },
  { strict: true },
);
