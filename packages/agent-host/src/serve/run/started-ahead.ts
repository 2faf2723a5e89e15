import { binary, SANDBOX } from '@cortexfs/abi/paths';
import type { BeforeRelease, SandboxedProcess } from '../../sandbox/spec.ts';
import type { ProcessRequest, RunLauncher } from './launch.ts';

/** A run that has made so many calls probably makes another: from then on a runner waits for it. */
const CALLS_BEFORE = 2;

/** Starts a step, or takes the one that waits for its envelope; beside it a runner begins to wait for the step's call. */
export async function startStep(
  request: ProcessRequest,
  beforeRelease: BeforeRelease,
  { taken, launch, ahead }: RunLauncher,
  step: number,
): Promise<SandboxedProcess> {
  const process = (await taken(request)) ?? (await launch(request, beforeRelease));
  if (step >= CALLS_BEFORE) ahead(waitingRunner(request));
  return process;
}

/** A started tool and what it reads before its arguments. */
export interface StartedTool {
  readonly process: SandboxedProcess;
  readonly order: string;
}

/**
 * Starts a tool, or has the runner that waits become it: told which, that does what the kernel would have had it do.
 * Either way `recheck` has the last word.
 */
export async function startTool(
  request: ProcessRequest,
  interpreted: boolean,
  recheck: () => void,
  register: BeforeRelease,
  { taken, launch }: RunLauncher,
): Promise<StartedTool> {
  const waiting = interpreted ? await taken(waitingRunner(request)) : undefined;
  if (waiting === undefined) {
    const beforeRelease: BeforeRelease = (root) => {
      recheck();
      return register(root);
    };
    return { process: await launch(request, beforeRelease), order: '' };
  }
  try {
    recheck();
  } catch (error) {
    await waiting.terminate();
    throw error;
  }
  const [object] = request.argv;
  return { process: waiting, order: `${JSON.stringify({ object, step: request.env['CTX_AGENT_STEP'] })}\n` };
}

/** The step in which it will be used is not known yet. */
function waitingRunner({ env, cwd }: ProcessRequest): ProcessRequest {
  const { CTX_AGENT_STEP: _, ...rest } = env;
  return { argv: [`${SANDBOX.root}/${binary('cortexfs-object-runner')}`, '--ahead'], env: rest, cwd };
}

/** A tool that ends within this needs the processor more than the step that follows it. */
const QUICK_MS = 40;

/** While a tool runs, unless it is quick, the next step gets ready to read its envelope. */
export async function besideTool<T>(
  ahead: () => void,
  call: (started: () => void) => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await call(() => {
      timer = setTimeout(ahead, QUICK_MS);
    });
  } finally {
    clearTimeout(timer);
  }
}
