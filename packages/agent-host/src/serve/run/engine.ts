import type { Invocation } from '@cortexfs/abi/invocation';
import {
  formatInvocation,
  INVOCATION_SCHEMA,
  MAX_CONTEXT_BYTES,
  MAX_TOOL_CALLS,
} from '@cortexfs/abi/invocation';
import { type CallId, parseCallId, parseObjectName } from '@cortexfs/abi/names';
import { agentExec } from '@cortexfs/abi/paths';
import type { AgentDefinition } from '../../definition/definition.ts';
import { type Capability, openCapability } from '../capability/capability.ts';
import { runPostHooks, runPreHooks } from '../hooks/run-hooks.ts';
import { currentDefinition, type HostContext } from '../host-context.ts';
import { gatherParts } from '../prompt/gather.ts';
import { pastGroups } from '../prompt/history.ts';
import { Prompt } from '../prompt/prompt.ts';
import { skillsOf } from '../prompt/render.ts';
import { savePack, saveSnapshots } from '../prompt/snapshots.ts';
import { Transcript } from '../prompt/transcript.ts';
import type { EffectiveWindow } from '../prompt/window.ts';
import type { RecordedRequest } from '../session/request-ledger.ts';
import type { Session } from '../session/session.ts';
import { invalid, type ToolCall } from './agent-output.ts';
import { chooseModel, type ModelChoice } from './model-choice.ts';
import { observe } from './observation.ts';
import { runEnvironment, runLauncher } from './place.ts';
import { isCancellation, RunRecorder } from './recorder.ts';
import type { Run } from './run.ts';
import { besideTool, startStep } from './started-ahead.ts';
import { runStep, stepProcess } from './step.ts';
import { type CallPlace, hookedOperation, hookPlace, performCall } from './tool-call.ts';

/**
 * Carries one run from its stored question to its one `done` (docs/run.md). `started` is called once the request is
 * acknowledged. Throws only when the run could not begin or the session cannot be written.
 */
export async function executeRun(
  host: HostContext,
  session: Session,
  run: Run,
  started: (recorded: RecordedRequest) => void,
): Promise<void> {
  const definition = currentDefinition(host);
  const choice = chooseModel(host, definition);
  run.model = choice.model?.id;
  const recorder = new RunRecorder(session, run);
  started(await recorder.begin());
  try {
    run.signal.throwIfAborted();
    const capability = await openCapability(host, {
      run: run.id,
      session: session.name,
      owner: definition.owner,
      uid: definition.uid,
      gid: definition.gid,
      record: (event) => recorder.asked(event),
    });
    try {
      const scene = { host, session, run, recorder, definition, capability, choice };
      await (run.order.task.op === 'send'
        ? converse(scene, run.order.task.input)
        : command(scene, run.order.task.args));
    } finally {
      await host.ahead.discard(run);
      await capability.close();
    }
  } catch (error) {
    if (isCancellation(error, run.signal)) await recorder.cancelled();
    else await recorder.fail(error);
  }
}

interface Scene {
  readonly host: HostContext;
  readonly session: Session;
  readonly run: Run;
  readonly recorder: RunRecorder;
  readonly definition: AgentDefinition;
  readonly capability: Capability;
  readonly choice: ModelChoice;
}

/** A message to the agent, between the hooks that the agent has. */
async function converse(scene: Scene, input: string): Promise<void> {
  const { host, run } = scene;
  const window = scene.choice.window();
  const object = agentExec(host.agent);
  const hooks = host.hooks(object);
  const hooked = () => {
    const place = callPlace(scene, window);
    return [hooks, hookedOperation(object, input, place), hookPlace(place)] as const;
  };
  await runPreHooks(...hooked());
  let answer: string;
  try {
    answer = await answerOf(scene, input, window);
  } finally {
    if (!run.signal.aborted) await runPostHooks(...hooked());
  }
  run.signal.throwIfAborted();
  await scene.recorder.answer(answer);
}

/** Steps of the agent's executable, with a tool call between each two, up to its answer. */
async function answerOf(scene: Scene, input: string, window: EffectiveWindow): Promise<string> {
  const { run, recorder, definition } = scene;
  const { prompt, transcript } = await openTranscript(scene, input, window);
  const usedCalls = new Set<CallId>();
  let observation: Invocation['observation'] = null;
  const { host, session } = scene;
  for (run.step = 0; ; run.step++) {
    const history = transcript.render();
    if (run.step === 0) await savePack(session.files, history, prompt.toolContext, host.log);
    const envelope = formatInvocation({
      schema: INVOCATION_SCHEMA,
      run: run.id,
      step: run.step,
      input,
      history_messages: history,
      tool_context: prompt.toolContext,
      observation,
    });
    const place = callPlace(scene, window);
    const { text, call } = await runStep({
      agent: scene.host.agent,
      run: run.id,
      envelope,
      env: place.env,
      cwd: run.order.cwd,
      timeoutSeconds: definition.stepTimeoutSeconds,
      usedCalls,
      signal: run.signal,
      launch: (request, beforeRelease) => startStep(request, beforeRelease, place, run.step),
      beforeRelease: place.register,
      stream: (frame) => {
        if (frame.type === 'usage') recorder.event(frame);
        else recorder.delta(frame.type, frame.text);
      },
    }).catch((error) => {
      // What the model said is closer to the cause than how the agent ended over it.
      throw run.signal.aborted ? error : (scene.capability.modelError ?? error);
    });
    run.signal.throwIfAborted();
    if (call === undefined) return text;
    if (run.step === MAX_TOOL_CALLS) throw invalid(`more than ${MAX_TOOL_CALLS} tool calls in one run`);
    usedCalls.add(call.id);
    const next = callPlace(scene, window, run.step + 1);
    observation = await besideTool(
      () => place.ahead(stepProcess(scene.host.agent, next.env, run.order.cwd)),
      (started) => observedCall(call, { ...place, started }),
    );
    transcript.addCall(text, { type: 'tool_result', ...observation, arguments: call.arguments });
  }
}

/** One command of the tool shell as the agent, asked for by a human: no model, no approval. */
async function command(scene: Scene, args: readonly string[]): Promise<void> {
  const call = {
    type: 'tool_call',
    id: parseCallId('tsh-1'),
    name: parseObjectName('tsh'),
    arguments: { args },
  } as const;
  await observedCall(call, { ...callPlace(scene, undefined), byModel: false });
  await scene.recorder.complete();
}

async function observedCall(
  call: ToolCall,
  place: CallPlace,
): Promise<NonNullable<Invocation['observation']>> {
  await place.recorder.call(call);
  const result = await performCall(call, place);
  place.run.signal.throwIfAborted();
  const observation = observe(call.id, call.name, result);
  await place.recorder.result(observation, result.code, call.arguments);
  return observation;
}

async function openTranscript(
  { host, session, run, definition }: Scene,
  input: string,
  window: EffectiveWindow,
): Promise<{ prompt: Prompt; transcript: Transcript }> {
  const past = pastGroups([...pastMessages(session, run)], MAX_CONTEXT_BYTES);
  const { site, agent, config, workspace } = host;
  const place = { store: site.store, agent, config, workspace, session: session.name, cwd: run.order.cwd };
  const parts = gatherParts(place, definition, window, past);
  await saveSnapshots(session.files, parts.rules, skillsOf(parts), host.log);
  const prompt = new Prompt(parts);
  const messages = prompt.holdsHistory ? [] : past;
  return { prompt, transcript: new Transcript(prompt, messages, input, window.inputChars) };
}

/** Newest first, without what this run has stored itself; no more than can ever fit. */
function* pastMessages({ messages }: Session, { id }: Run) {
  let bytes = 0;
  for (const message of messages.backward()) {
    if (message.run === id) continue;
    bytes += JSON.stringify(message.content).length;
    yield message;
    if (bytes > MAX_CONTEXT_BYTES) return;
  }
}

function callPlace(
  scene: Scene,
  window: EffectiveWindow | undefined,
  step: number = scene.run.step,
): CallPlace {
  const { host, session, run, recorder, definition, capability } = scene;
  const place = { run: run.id, session: session.name, cwd: run.order.cwd };
  return {
    host,
    run,
    session: session.name,
    recorder,
    ...runLauncher(host, definition, run, place, capability),
    env: runEnvironment(place, step, window),
    register: (root) => capability.register(root),
    byModel: true,
  };
}
