import { SANDBOX } from '@cortexfs/abi/paths';
import type { AgentDefinition } from '../../definition/definition.ts';
import type { SandboxSpec } from '../../sandbox/spec.ts';
import type { Capability } from '../capability/capability.ts';
import type { HostContext, RunPlace } from '../host-context.ts';
import type { EffectiveWindow } from '../prompt/window.ts';
import type { ProcessRequest, RunLauncher } from './launch.ts';
import type { Run } from './run.ts';

/** What the processes of a run get beside the sandbox's own allowlist (docs/run.md, "Environment"). */
export function runEnvironment(
  place: RunPlace,
  step: number,
  window: EffectiveWindow | undefined,
): Record<string, string> {
  return {
    CTX_RUN_ID: place.run,
    CTX_AGENT_STEP: String(step),
    CTX_SESSION: place.session,
    CTX_CONTROL_SOCKET: SANDBOX.controlSocket,
    ...(window?.tokens === undefined ? {} : { CTX_CONTEXT_WINDOW_TOKENS: String(window.tokens) }),
    ...(window?.chars === undefined ? {} : { CTX_CONTEXT_WINDOW_CHARS: String(window.chars) }),
  };
}

/** Starts processes in the agent's sandbox with the run's capability socket in it, each of them registered there. */
export function runLauncher(
  host: HostContext,
  definition: AgentDefinition,
  run: Run,
  { session }: RunPlace,
  { directory, register }: Pick<Capability, 'directory' | 'register'>,
): RunLauncher {
  const { root, store } = host.site;
  const binds = [{ source: directory, target: SANDBOX.runtime, mode: 'ro' }] as const;
  const specOf = ({ argv, env, cwd }: ProcessRequest): SandboxSpec => ({
    ...{ definition, root, store, session, workspace: host.workspace, mounts: host.mounts },
    ...{ argv, env, binds, cwd, stdio: 'pipe' },
  });
  return {
    launch: (request, beforeRelease) => host.launch(specOf(request), beforeRelease ?? (() => {})),
    ahead: (request) => host.ahead.prepare(run, specOf(request), register),
    taken: (request) => host.ahead.take(run, specOf(request)),
  };
}
