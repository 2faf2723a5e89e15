import { CortexError, withContext } from '@cortexfs/abi/errors';
import { findHostProgram } from '@cortexfs/linux/host-program';
import { formatBuilt } from './ahead.ts';
import { startBubblewrap } from './bubblewrap.ts';
import { requireSameMounts, untilHeld } from './held.ts';
import { planSandbox } from './plan.ts';
import { sandboxedProcess } from './process.ts';
import type { LaunchSandboxed } from './spec.ts';
import { requireStartDirectory } from './start-directory.ts';

/**
 * Starts one program in a sandbox (docs/sandbox.md). The sandbox is built and held; its mounts are compared with what
 * was judged; `beforeRelease` registers the process; only then does the program start. Any failure ends the sandbox.
 * Throws CortexError: EHOSTDOWN without bubblewrap, EPERM where user namespaces are forbidden, EACCES for a workspace that
 * may not be one. There is no weaker way to run.
 */
export const launchSandboxed: LaunchSandboxed = async (spec, beforeRelease) => {
  const bwrap = trustedBubblewrap();
  const plan = planSandbox(spec);
  const started = startBubblewrap(bwrap, plan, spec);
  try {
    const root = await untilHeld(started);
    requireSameMounts(root.pid, plan.steps);
    requireStartDirectory(root.pid, plan.cwd);
    await beforeRelease(root);
    started.release();
    return sandboxedProcess(started, root, plan.notes, formatBuilt(spec, plan.steps));
  } catch (error) {
    started.kill();
    await started.exited;
    throw error;
  }
};

function trustedBubblewrap(): string {
  try {
    return findHostProgram('bwrap');
  } catch (error) {
    if (!(error instanceof CortexError)) throw error;
    const { code, hint } = error;
    if (code !== 'ENOENT') throw withContext(error, { layer: 'sandbox' });
    // The agent is there, what it runs in is not: unavailable, not unknown.
    const why = 'bubblewrap is not installed on this machine';
    throw new CortexError('EHOSTDOWN', why, { path: 'bwrap', layer: 'sandbox', hint });
  }
}
