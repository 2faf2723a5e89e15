import { fromNodeError } from '@cortexfs/abi/errors';
import type { AgentOutput } from '@cortexfs/abi/frames/agent-output';
import { MAX_FRAME_BYTES } from '@cortexfs/abi/jsonl';
import type { CallId, ObjectName, RunId } from '@cortexfs/abi/names';
import { agentExec, SANDBOX } from '@cortexfs/abi/paths';
import type { BeforeRelease } from '../../sandbox/spec.ts';
import { AgentOutputRules, invalid, type ToolCall } from './agent-output.ts';
import { exitError } from './exit-error.ts';
import type { Launch, ProcessRequest } from './launch.ts';
import { watchProcess } from './process-output.ts';

export interface StepRequest {
  readonly agent: ObjectName;
  readonly run: RunId;
  readonly envelope: Uint8Array;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly timeoutSeconds: number;
  readonly usedCalls: ReadonlySet<CallId>;
  readonly signal: AbortSignal;
  readonly launch: (request: ProcessRequest, beforeRelease: BeforeRelease) => ReturnType<Launch>;
  readonly beforeRelease: BeforeRelease;
  /** Text and usage as they come. */
  readonly stream: (frame: Exclude<AgentOutput, ToolCall | { type: 'message' }>) => void;
}

/** What a step came to: its text, and the call that ended it, if one did. */
export interface StepResult {
  readonly text: string;
  readonly call: ToolCall | undefined;
}

/** Starts the agent's executable once, with one envelope, and reads it to its end (docs/run.md, "Steps"). */
export async function runStep(request: StepRequest): Promise<StepResult> {
  const { agent, run, envelope, env, cwd, signal } = request;
  signal.throwIfAborted();
  const rules = new AgentOutputRules(run, request.usedCalls);
  const text = new AnswerText();
  const process = await request.launch(stepProcess(agent, env, cwd), request.beforeRelease);
  const end = await watchProcess(process, {
    input: envelope,
    silenceMs: request.timeoutSeconds * 1000,
    signal,
    bytes: (count) => rules.count(count),
    frame: (decoded) => {
      const frame = rules.accept(decoded);
      if (frame.type === 'message' || frame.type === 'delta') text.add(frame);
      if (frame.type !== 'message' && frame.type !== 'tool_call') request.stream(frame);
    },
  }).catch((error) => {
    const failure = fromNodeError(error);
    throw failure.code === 'EINVAL' && failure.layer !== 'agent'
      ? invalid(failure.message, failure)
      : failure;
  });
  const failure = exitError(`agent/${agent}`, end, 'agent');
  if (failure !== undefined) throw failure;
  if (rules.call === undefined && !text.given) throw invalid('neither an answer nor a tool call');
  return { text: text.value, call: rules.call };
}

/** The agent's executable, as it is started for every step. */
export function stepProcess(agent: ObjectName, env: ProcessRequest['env'], cwd: string): ProcessRequest {
  return { argv: [`${SANDBOX.root}/${agentExec(agent)}`], env, cwd };
}

/** The answer is the message where there is one; the deltas are the same text on its way. */
class AnswerText {
  #deltas = '';
  #units = 0;
  #message: string | undefined;
  given = false;

  get value(): string {
    return this.#message ?? this.#deltas;
  }

  add(frame: Extract<AgentOutput, { type: 'message' | 'delta' }>): void {
    this.given = true;
    if (frame.type === 'delta') this.#addDelta(frame.text);
    else this.#message = frame.content.map((part) => part.text).join('');
  }
  /** An answer is cut to one frame in the end: what cannot be in it is not kept, however much streams by. */
  #addDelta(text: string): void {
    if (this.#units <= MAX_FRAME_BYTES) this.#deltas += text;
    this.#units += text.length;
  }
}
