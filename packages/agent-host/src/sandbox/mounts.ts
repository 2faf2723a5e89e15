import { join } from 'node:path';
import type { MountEntry } from '@cortexfs/abi/controls/mount';
import { CortexError } from '@cortexfs/abi/errors';
import { agentControl, SANDBOX, view } from '@cortexfs/abi/paths';
import { allows } from '@cortexfs/abi/policy';
import { readMountTable } from '@cortexfs/linux/mount-table';
import type { AgentDefinition } from '../definition/definition.ts';
import { bind } from './bind.ts';
import { within } from './closure/closure.ts';
import { type Located, locate } from './identity.ts';
import { coveringLine, type RequestedMount } from './requested-mount.ts';
import { reservedTarget } from './reserved.ts';
import type { SandboxSpec } from './spec.ts';
import type { Step } from './step.ts';
import { faultOf, sensitivePlaces } from './workspace/place.ts';

export interface MountSteps {
  steps: Step[];
  notes: readonly string[];
}

/** As much of a sandbox as its mounts depend on. */
export type MountSpec = Pick<SandboxSpec, 'definition' | 'root' | 'store' | 'mounts'>;

/** The agent's `mount` control: each line is shown when policy grants `mount:NAME` too (docs/sandbox.md). */
export function declaredMounts(spec: MountSpec): MountSteps {
  const steps: Step[] = [];
  const notes: string[] = [];
  const requested = spec.mounts ?? [];
  for (const entry of spec.definition.mount) {
    if (isBuiltIn(entry) || requested.some(({ target }) => target === entry.target)) continue;
    const name = mountName(entry.target);
    const permission = entry.mode === 'rw' ? 'write' : 'read';
    if (allows(spec.definition.policy, spec.definition.label.subject, 'mount', name, permission)) {
      steps.push(declared(spec, entry));
    } else {
      notes.push(`${entry.target} is not mounted: policy has no mount:${name} ${permission}`);
    }
  }
  return { steps: [...steps, ...requested.map((mount) => declared(spec, asLine(spec, mount)))], notes };
}

/**
 * A mount that the start asked for, as a line of its own. It may show less than the control and the policy grant, never
 * more; asked for by name, it is refused rather than left out.
 */
function asLine(spec: MountSpec, { source, target, mode }: RequestedMount): MountEntry {
  const { name, mount, policy, label } = spec.definition;
  const permission = mode === 'rw' ? 'write' : 'read';
  if (!allows(policy, label.subject, 'mount', mountName(target), permission)) {
    const rule = `allow ${label.subject} mount:${mountName(target)} ${permission}`;
    throw new CortexError('EACCES', `--mount ${source} at ${target}: policy has no "${rule}"`, {
      path: agentControl(name, 'policy'),
      layer: 'agent-policy',
      hint: `ctx append ${agentControl(name, 'policy')} '${rule}'`,
    });
  }
  const lines = mount.filter((line) => !isBuiltIn(line));
  const located = locate(hostPath(spec, source));
  const line = coveringLine(lines, { source: located, mode }, (path) => placeOf(spec, path));
  if (line === undefined) {
    throw new CortexError(
      'EACCES',
      `--mount ${source} at ${target}: no line of the mount control covers it`,
      {
        path: agentControl(name, 'mount'),
        layer: 'mount',
        hint: `a line with the source ${source} or a directory above it, in mode ${mode}, would`,
      },
    );
  }
  return { source, target, mode, options: line.options };
}

/** A line about what is not there covers nothing. */
function placeOf(spec: MountSpec, source: string): Located | undefined {
  try {
    return locate(hostPath(spec, source));
  } catch {
    return undefined;
  }
}

/** What `mount:NAME` in a policy means: the target without its first slash, other slashes written as dots. */
export function mountName(target: string): string {
  return target.slice(1).replaceAll('/', '.');
}

/** How a line about a place that the sandbox makes anyway changes it; a view can be written only where a line says so. */
export function builtInMode(
  definition: AgentDefinition,
  target: string,
  otherwise: 'ro' | 'rw',
): 'ro' | 'rw' {
  return definition.mount.find((entry) => entry.target === target)?.mode ?? otherwise;
}

/** Lines that describe the sandbox itself: the agent's view, its home, its private /tmp. */
function isBuiltIn({ source, target }: MountEntry): boolean {
  if (target === SANDBOX.root) return source === SANDBOX.root;
  if (target === SANDBOX.home) return /^\/ctx\/home\/\d+\/agent\/[^/]+$/.test(source);
  return target === '/tmp' && source === '/tmp';
}

function declared(spec: MountSpec, entry: MountEntry): Step {
  const { source, target, mode, options } = entry;
  const refuse = (code: 'EINVAL' | 'EACCES' | 'ENOTSUP', why: string, hint?: string) =>
    new CortexError(code, `${source} at ${target}: ${why}`, {
      path: agentControl(spec.definition.name, 'mount'),
      layer: 'mount',
      hint,
    });
  if (reservedTarget(target)) throw refuse('EINVAL', 'the sandbox itself uses this target');
  if (options.includes('noexec')) {
    throw refuse(
      'ENOTSUP',
      'bubblewrap cannot mount noexec',
      'drop noexec, or mount the source noexec on the host',
    );
  }
  const located = locate(hostPath(spec, source));
  if (!within(SANDBOX.root, source)) {
    const fault = faultOf(located.path, sensitivePlaces(spec));
    if (fault !== undefined) throw refuse('EACCES', fault);
  }
  // bubblewrap always takes what is mounted below along; a line that asks for one mount must not show more.
  if (!options.includes('rbind') && holdsMounts(located.path)) {
    throw refuse(
      'EINVAL',
      'other file systems are mounted below the source',
      'write rbind to show them as well',
    );
  }
  return bind(located, target, mode);
}

/** A source below /ctx is what the agent itself may see there. */
function hostPath({ root, definition }: MountSpec, source: string): string {
  if (!within(SANDBOX.root, source)) return source;
  return join(root, view(definition.name), source.slice(SANDBOX.root.length));
}

function holdsMounts(path: string): boolean {
  return readMountTable().some(({ point }) => point !== path && within(path, point));
}
