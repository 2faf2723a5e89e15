import { CortexError, withContext } from '@cortexfs/abi/errors';
import { findHostProgram } from '@cortexfs/linux/host-program';
import { startBubblewrap } from './bubblewrap.ts';
import { requireSameMounts, untilHeld } from './held.ts';
import { planSandbox } from './plan.ts';
import { sandboxedProcess } from './process.ts';
import type { LaunchSandboxed } from './spec.ts';

/**
 * Starts one program in a sandbox (docs/sandbox.md). The sandbox is built and held; its mounts are compared with what
 * was judged; `beforeRelease` registers the process; only then does the program start. Any failure ends the sandbox.
 * Throws CortexError: ENOENT without bubblewrap, EPERM where user namespaces are forbidden, EACCES for a workspace that
 * may not be one. There is no weaker way to run.
 */
export const launchSandboxed: LaunchSandboxed = async (spec, beforeRelease) => {
  const bwrap = trustedBubblewrap();
  const plan = planSandbox(spec);
  const started = startBubblewrap(bwrap, plan, spec);
  try {
    const root = await untilHeld(started);
    requireSameMounts(root.pid, plan.steps);
    await beforeRelease(root);
    started.release();
    return sandboxedProcess(started, root, plan.notes);
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
    throw error instanceof CortexError ? withContext(error, { layer: 'sandbox' }) : error;
  }
}
