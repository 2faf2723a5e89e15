import type { AuthorityRequest, FileFacts } from './facts.ts';
import { type FileAccess, modeAllows } from './mode-bits.ts';
import { type Answer, allowed, refused, skipped } from './verdict.ts';

/** Mode bits, with the agent's uid, gid and groups. */
export function fileAnswer(request: AuthorityRequest): Answer {
  const { agent, file } = request;
  if (file === 'missing') return refused('no such object', 'ENOENT');
  if (file === 'none') {
    return needsFile(request)
      ? refused(`a ${request.class} is a file, and none was shown`)
      : skipped('touches no file');
  }
  const access = accessFor(request.permission);
  if (modeAllows(agent, file, access)) return allowed(`uid ${agent.uid} may ${access} it`);
  return refused(`uid ${agent.uid} may not ${access} it: ${describe(file)}`);
}

/** The agent's mounts: hidden, read-only, noexec. */
export function mountAnswer(request: AuthorityRequest): Answer {
  const { mount } = request;
  if (mount === 'none') {
    return needsFile(request)
      ? refused(`a ${request.class} is a file, and no mount was shown`)
      : skipped('touches no file');
  }
  if (!mount.visible) return refused("no mount of the agent's shows it", 'ENOENT');
  const access = accessFor(request.permission);
  if (access === 'execute' && mount.noexec) return refused('its mount is noexec');
  if (access === 'write' && !mount.writable) return refused('its mount is read-only', 'EROFS');
  return allowed(mount.writable ? 'visible, rw' : 'visible, ro');
}

function needsFile(request: AuthorityRequest): boolean {
  return request.class === 'tool' || request.class === 'model';
}

/** The Linux access that a permission means. `create`, `stop` and the like write; `use` and `start` execute. */
function accessFor(permission: string): FileAccess {
  if (permission === 'read' || permission === 'resume') return 'read';
  if (permission === 'execute' || permission === 'use' || permission === 'start' || permission === 'connect')
    return 'execute';
  return 'write';
}

function describe(file: FileFacts): string {
  return `mode ${(file.mode & 0o7777).toString(8).padStart(4, '0')}, owner ${file.uid}:${file.gid}`;
}
