import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import type { JsonValue } from '@cortexfs/abi/json';
import type { SessionName } from '@cortexfs/abi/names';
import { SANDBOX } from '@cortexfs/abi/paths';
import type { ToolResult } from '@cortexfs/abi/tool-io';
import type { BeforeRelease } from '../../sandbox/spec.ts';
import { type PreparedCall, prepareToolCall } from '../authority/tool-call.ts';
import { type HookedOperation, type HookPlace, runPostHooks, runPreHooks } from '../hooks/run-hooks.ts';
import { currentDefinition, type HostContext } from '../host-context.ts';
import type { ToolCall } from './agent-output.ts';
import type { RunLauncher } from './launch.ts';
import type { RunRecorder } from './recorder.ts';
import type { Run } from './run.ts';
import { startTool } from './started-ahead.ts';
import { errorResult, runTool } from './tool-process.ts';

/** What a run lends to its calls. */
export interface CallPlace extends RunLauncher {
  readonly host: HostContext;
  readonly run: Run;
  readonly session: SessionName;
  readonly recorder: RunRecorder;
  readonly env: Readonly<Record<string, string>>;
  readonly register: BeforeRelease;
  /** Called when the tool was started. */
  readonly started?: () => void;
  /** Whether a model asked: then `approval` has its say. */
  readonly byModel: boolean;
}

/**
 * One tool call of a run (docs/run.md, "Tool calls"): decided anew, approved where that is asked for, run in the
 * sandbox. A refusal is a result like any other; only a cancellation is thrown.
 */
export async function performCall(call: ToolCall, place: CallPlace): Promise<ToolResult> {
  const { host, run, env } = place;
  if (call.malformed !== undefined) return errorResult(notACall(call.malformed, call.name));
  let prepared: PreparedCall | undefined;
  try {
    const definition = currentDefinition(host);
    prepared = prepareToolCall(host.site.store, definition, call.name, process.geteuid!());
    if (place.byModel && definition.approval === 'ask') await requireApproval(call, place);
  } catch (error) {
    prepared?.close();
    run.signal.throwIfAborted();
    return errorResult(fromNodeError(error, { path: `tool/${call.name}`, layer: 'tool' }));
  }
  const { path, interpreted, recheck, close } = prepared;
  const hooks = host.hooks(path.slice(SANDBOX.root.length + 1));
  const operation = hookedOperation(`tool/${call.name}`, call.arguments, place);
  try {
    const { cwd } = run.order;
    await runPreHooks(hooks, operation, hookPlace(place));
    const result = await runTool({
      path,
      arguments: call.arguments,
      signal: run.signal,
      start: async () => {
        const started = await startTool(
          { argv: [path], env, cwd },
          interpreted,
          recheck,
          place.register,
          place,
        );
        place.started?.();
        return started;
      },
    });
    await runPostHooks(hooks, operation, hookPlace(place));
    return result;
  } catch (error) {
    run.signal.throwIfAborted();
    return errorResult(fromNodeError(error, { layer: 'hook' }));
  } finally {
    close();
  }
}

/** What a model meant as a call and nobody can carry out: told to it, so that it can say it again. */
function notACall(why: string, name: ToolCall['name']): CortexError {
  return new CortexError('EINVAL', why, { path: `tool/${name}`, layer: 'model' });
}

/** What hooks are told of an operation of a run. */
export function hookedOperation(
  object: string,
  input: JsonValue,
  { host, run, session }: Pick<CallPlace, 'host' | 'run' | 'session'>,
): HookedOperation {
  return { object, agent: host.agent, session, run: run.id, step: run.step, input };
}

export function hookPlace({ launch, register, env, run, host }: CallPlace): HookPlace {
  return { launch, register, env, cwd: run.order.cwd, signal: run.signal, log: host.log };
}

async function requireApproval(
  { id, name, arguments: args }: ToolCall,
  { host, run, recorder }: CallPlace,
): Promise<void> {
  const { decision, reason } = await host.approvals.ask(run.id, id, run.order.asker, run.signal, () =>
    recorder.event({ type: 'approval_request', tool_call_id: id, name, arguments: args, cwd: run.order.cwd }),
  );
  run.signal.throwIfAborted();
  recorder.event({
    type: 'approval_result',
    tool_call_id: id,
    decision,
    ...(reason === undefined ? {} : { reason }),
  });
  if (decision === 'allow_once') return;
  throw new CortexError('EACCES', `the call was denied${reason === undefined ? '' : `: ${reason}`}`, {
    layer: 'approval',
  });
}
