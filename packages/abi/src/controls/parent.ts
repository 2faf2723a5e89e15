import {
  type ObjectName,
  parseObjectName,
  parseRunId,
  parseSessionName,
  type RunId,
  type SessionName,
} from '../names.ts';
import { quoted } from '../quote.ts';
import { type Codec, control, invalid } from './codec.ts';
import { oneLine } from './lines.ts';

/** Who created the agent: nobody (`root`, the beginning of a lineage), or an agent, perhaps in a session and run. */
export type Parent =
  | { kind: 'root' }
  | { kind: 'agent'; agent: ObjectName; session?: SessionName; run?: RunId };

/** `agent/NAME.d/parent`: `root`, or `agent:NAME [session:NAME] [run:ID]` (docs/controls.md). */
export const parent: Codec<Parent> = control({
  parse: (text) => parseParent(oneLine(text)),
  format: (value) => `${formatParent(value)}\n`,
});

function parseParent(text: string): Parent {
  if (text === 'root') return { kind: 'root' };
  const fields = /^agent:([^ :]+)(?: session:([^ :]+))?(?: run:([^ :]+))?$/.exec(text);
  const [, agent, session, run] = fields ?? [];
  if (agent === undefined) {
    throw invalid(`must be "root" or "agent:NAME [session:NAME] [run:ID]", got ${quoted(text)}`);
  }
  return {
    kind: 'agent',
    agent: parseObjectName(agent),
    ...(session === undefined ? {} : { session: parseSessionName(session) }),
    ...(run === undefined ? {} : { run: parseRunId(run) }),
  };
}

function formatParent(value: Parent): string {
  if (value.kind === 'root') return 'root';
  const { agent, session, run } = value;
  return `agent:${agent}${session === undefined ? '' : ` session:${session}`}${run === undefined ? '' : ` run:${run}`}`;
}
