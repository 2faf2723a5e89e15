import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { agentControl, SANDBOX, view } from '@cortexfs/abi/paths';
import { quoted } from '@cortexfs/abi/quote';
import { bind } from './bind.ts';
import { closureOf, within } from './closure/closure.ts';
import { installedFolders } from './closure/installation.ts';
import { remembered } from './closure/remembered.ts';
import { environmentOf } from './environment.ts';
import { home } from './home.ts';
import { locate } from './identity.ts';
import { isolation } from './isolation.ts';
import { builtInMode, declaredMounts } from './mounts.ts';
import type { SandboxSpec } from './spec.ts';
import { type Step, words } from './step.ts';
import { system } from './system.ts';
import { workspace } from './workspace/workspace.ts';

export interface SandboxPlan {
  steps: readonly Step[];
  /** Where the program starts, as it sees it. */
  cwd: string;
  notes: readonly string[];
}

const knownClosure = remembered(closureOf);
const knownFolders = remembered(installedFolders);

/** Everything that bubblewrap is to do, in order; later mounts lie over earlier ones (docs/sandbox.md). */
export function planSandbox(spec: SandboxSpec): SandboxPlan {
  const { definition } = spec;
  requireIdentity(spec);
  requireProgram(spec);
  const environment = environmentOf(definition, spec.env);
  const closure = knownClosure(spec.store);
  const work = workspace(spec, [...closure.paths, ...knownFolders('')]);
  const declared = declaredMounts(spec);
  const ctxMode = builtInMode(definition, SANDBOX.root, 'ro');
  const cwd = startDirectory(spec, work.visible);
  const seen = locate(join(spec.root, view(definition.name)), 'directory');
  return {
    steps: [
      ...isolation(definition),
      ...system(definition),
      ...closure.paths.map((path) => words('--ro-bind', path, path)),
      ...closure.links.map(({ path, target }) => words('--symlink', target, path)),
      ...home(spec),
      ...work.steps,
      ...declared.steps,
      bind(seen, SANDBOX.root, ctxMode),
      ...(spec.binds ?? []).map(({ source, target, mode }) => bind(locate(source), target, mode)),
      words('--remount-ro', '/'),
      ...[...environment].map(([name, value]) => words('--setenv', name, value)),
      words('--chdir', cwd),
    ],
    cwd,
    notes: [...work.notes, ...declared.notes],
  };
}

/** The uid that runs is the uid that the definition names; only root can become another. */
function requireIdentity({ definition: { name, uid, gid } }: SandboxSpec): void {
  const [self, group] = [process.geteuid!(), process.getegid!()];
  if (self === 0 || (self === uid && group === gid)) return;
  const control = self === uid ? 'gid' : 'uid';
  throw new CortexError('EPERM', `runs as ${uid}:${gid}, but this process is ${self}:${group}`, {
    path: agentControl(name, control),
    layer: 'credentials',
    hint: `run as uid ${uid}, or write your own ids to the controls uid and gid`,
  });
}

function requireProgram({ argv: [program] }: SandboxSpec): void {
  if (program.startsWith('/') && !program.includes('=')) return;
  throw new CortexError('EINVAL', `${quoted(program)} is no absolute path of a program without "="`, {
    layer: 'sandbox',
  });
}

/** An agent whose policy shows it no workspace starts at home. */
function startDirectory(
  { definition, cwd = definition.cwd }: SandboxSpec,
  workspaceVisible: boolean,
): string {
  return !workspaceVisible && within(SANDBOX.workspace, cwd) ? SANDBOX.home : cwd;
}
