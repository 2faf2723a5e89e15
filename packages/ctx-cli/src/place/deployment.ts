import type { Deployment } from '@cortexfs/abi/deployment';
import { CortexError } from '@cortexfs/abi/errors';
import { deploymentOf } from '@cortexfs/linux/place';
import { flag, type Invocation } from '../command/command.ts';

/** The deployment that a command sets up or takes down: the machine's with `--system`, which is root's to do, else the user's own. */
export function chosenDeployment(invocation: Invocation): Deployment {
  const system = flag(invocation, 'system');
  if (system) requireRoot();
  return deploymentOf(system ? 'system' : 'user');
}

/** @throws CortexError EPERM for everybody but root. */
export function requireRoot(): void {
  if (process.geteuid!() === 0) return;
  throw new CortexError('EPERM', 'the system deployment is root’s to set up and take down', {
    layer: 'credentials',
    hint: 'run it as root (sudo), or leave --system out for a deployment of your own',
  });
}
