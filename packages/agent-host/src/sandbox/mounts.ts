import { join } from 'node:path';
import type { MountEntry } from '@cortexfs/abi/controls/mount';
import { CortexError } from '@cortexfs/abi/errors';
import { agentControl, SANDBOX, view } from '@cortexfs/abi/paths';
import { allows } from '@cortexfs/abi/policy';
import { readMountTable } from '@cortexfs/linux/mount-table';
import type { AgentDefinition } from '../definition/definition.ts';
import { bind } from './bind.ts';
import { within } from './closure/closure.ts';
import { locate } from './identity.ts';
import { reservedTarget } from './reserved.ts';
import type { SandboxSpec } from './spec.ts';
import type { Step } from './step.ts';
import { faultOf, sensitivePlaces } from './workspace/place.ts';

export interface MountSteps {
  steps: Step[];
  notes: readonly string[];
}

/** The agent's `mount` control: each line is shown when policy grants `mount:NAME` too (docs/sandbox.md). */
export function declaredMounts(spec: SandboxSpec): MountSteps {
  const steps: Step[] = [];
  const notes: string[] = [];
  for (const entry of spec.definition.mount) {
    if (isBuiltIn(entry)) continue;
    const name = mountName(entry.target);
    const permission = entry.mode === 'rw' ? 'write' : 'read';
    if (allows(spec.definition.policy, spec.definition.label.subject, 'mount', name, permission)) {
      steps.push(declared(spec, entry));
    } else {
      notes.push(`${entry.target} is not mounted: policy has no mount:${name} ${permission}`);
    }
  }
  return { steps, notes };
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

function declared(spec: SandboxSpec, entry: MountEntry): Step {
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
function hostPath({ root, definition }: SandboxSpec, source: string): string {
  if (!within(SANDBOX.root, source)) return source;
  return join(root, view(definition.name), source.slice(SANDBOX.root.length));
}

function holdsMounts(path: string): boolean {
  return readMountTable().some(({ point }) => point !== path && within(path, point));
}
