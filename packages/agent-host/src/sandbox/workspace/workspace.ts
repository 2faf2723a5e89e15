import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SANDBOX } from '@cortexfs/abi/paths';
import { allows } from '@cortexfs/abi/policy';
import type { AgentDefinition } from '../../definition/definition.ts';
import { bind } from '../bind.ts';
import { within } from '../closure/closure.ts';
import { gitProtection } from '../git/protection.ts';
import { locate } from '../identity.ts';
import { reservedTarget } from '../reserved.ts';
import type { SandboxSpec } from '../spec.ts';
import type { Step } from '../step.ts';
import { faultOf, sensitivePlaces, workspacePlace } from './place.ts';

export interface WorkspaceSteps {
  steps: Step[];
  notes: readonly string[];
  visible: boolean;
}

/**
 * /workspace as the agent's policy allows. Where it is writable, git's metadata and CortexFS itself (`installed`) are
 * not: both are programs that the owner runs outside the sandbox.
 */
export function workspace(spec: SandboxSpec, installed: readonly string[]): WorkspaceSteps {
  const access = accessOf(spec.definition);
  if (access === 'none' || spec.workspace === null) return { steps: [], notes: [], visible: false };
  const place = workspacePlace({ ...spec, workspace: spec.workspace });
  const git = gitProtection(place.path);
  const own = installed
    .filter((path) => within(place.path, path))
    .map((path) => path.slice(place.path.length + 1));
  const steps = [
    bind(place, SANDBOX.workspace, access),
    ...(access === 'rw' ? protect(place.path, [...git.readOnly, ...own]) : []),
    ...git.outside.flatMap(({ source, target }) => showRepository(spec, source, target)),
  ];
  return { steps, notes: git.notes, visible: true };
}

export function accessOf({ policy, label }: AgentDefinition): 'rw' | 'ro' | 'none' {
  const may = (permission: string) => allows(policy, label.subject, 'mount', 'workspace', permission);
  if (may('write')) return 'rw';
  return may('read') ? 'ro' : 'none';
}

/**
 * Read-only islands. A mount point cannot be renamed or removed, but a directory above it can: each one in between is
 * made a mount point as well, or the agent would move the repository away and put its own in its place.
 */
function protect(workspace: string, paths: readonly string[]): Step[] {
  const readOnly = outermost(paths);
  const pinned = new Set(readOnly.flatMap(ancestorsOf));
  const modes = new Map<string, 'ro' | 'rw'>();
  for (const path of pinned) modes.set(path, 'rw');
  for (const path of readOnly) modes.set(path, 'ro');
  return [...modes]
    .sort(([a], [b]) => depth(a) - depth(b))
    .map(([path, mode]) => bind(locate(join(workspace, path)), join(SANDBOX.workspace, path), mode));
}

/** What lies in a read-only directory is read-only with it; pinning the way to it would open that way again. */
function outermost(paths: readonly string[]): string[] {
  const all = new Set(paths);
  return [...all].filter(
    (path) => path === '' || !['', ...ancestorsOf(path)].some((above) => all.has(above)),
  );
}

function ancestorsOf(path: string): string[] {
  const parent = dirname(path);
  return path === '' || parent === '.' ? [] : [...ancestorsOf(parent), parent];
}

const depth = (path: string) => (path === '' ? 0 : path.split('/').length);

/** Never what CortexFS keeps for itself, nor over a place that the sandbox has a use for. */
function showRepository(spec: SandboxSpec, source: string, target: string): Step[] {
  const { own } = sensitivePlaces(spec);
  if (faultOf(realpathSync(source), { own, homes: [] }) !== undefined || reservedTarget(target)) return [];
  return [bind(locate(source, 'directory'), target, 'ro')];
}
