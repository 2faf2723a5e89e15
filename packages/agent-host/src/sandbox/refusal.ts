import { existsSync, readFileSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { oneLine } from '@cortexfs/abi/terminal-text';
import type { SandboxExit } from './spec.ts';

/** Why no sandbox could be built, from bubblewrap's own message. */
export function setupRefusal(output: string, exit: SandboxExit): CortexError {
  const said = oneLine(output.trim().split('\n').at(-1) ?? '').replace(/^bwrap: /, '');
  if (NAMESPACES.test(said)) {
    return new CortexError('EPERM', `user namespaces are forbidden here: ${said}`, {
      layer: 'sandbox',
      hint: namespaceHint(),
    });
  }
  if (exit.signal === 'SIGKILL' && said === '') {
    return new CortexError('ETIMEDOUT', 'bubblewrap did not finish building the sandbox', {
      layer: 'sandbox',
      hint: 'is the workspace on a file system that does not answer?',
    });
  }
  const code = /permission denied|not permitted/i.test(said) ? 'EACCES' : 'EIO';
  const ending = exit.signal ?? `exit code ${exit.code ?? 'unknown'}`;
  return new CortexError(code, `bubblewrap could not build the sandbox: ${said || ending}`, {
    layer: 'sandbox',
  });
}

/** Its ways to say that the kernel, a limit, AppArmor or a surrounding container does not let it. */
const NAMESPACES =
  /creat\w* (a )?new namespace|new namespace failed|setting up uid map|no permissions to creat|unshare|clone.*(not permitted|no space)|user namespace|loopback: Failed/i;

function namespaceHint(): string {
  if (settingIs('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1')) {
    return 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or give bwrap an AppArmor profile';
  }
  if (settingIs('/proc/sys/kernel/unprivileged_userns_clone', '0')) {
    return 'sudo sysctl -w kernel.unprivileged_userns_clone=1';
  }
  if (settingIs('/proc/sys/user/max_user_namespaces', '0')) {
    return 'sudo sysctl -w user.max_user_namespaces=15000';
  }
  return 'in a container, start it so that it may create user namespaces (for docker: --security-opt seccomp=unconfined)';
}

function settingIs(path: string, value: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8').trim() === value;
}
