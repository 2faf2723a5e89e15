import { CortexError } from './errors.ts';

/** Where one installation keeps its things. All absolute paths. See docs/paths.md. */
export interface Deployment {
  kind: 'user' | 'system';
  /** The backing tree, same shape as /ctx. */
  store: string;
  /** Sockets, receipts and logs of what runs now. */
  runtime: string;
  config: string;
  secrets: string;
  /** Where the mount goes unless told otherwise. */
  defaultMount: string;
}

export interface DeploymentFacts {
  uid: number;
  /** HOME, or the home directory of the user database. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Whether /ctx is a directory that this user may write; the caller looks. Default false. */
  ctxWritable?: boolean;
  kind?: 'user' | 'system';
}

/** The deployment of a user, from their environment alone. EINVAL when CTX_ROOT is not an absolute path. */
export function resolveDeployment({
  uid,
  home,
  env,
  ctxWritable = false,
  kind = 'user',
}: DeploymentFacts): Deployment {
  if (kind === 'system') return { ...system, defaultMount: chosenRoot(env) ?? '/ctx' };
  const runtime = join(absolute(env['XDG_RUNTIME_DIR']), 'cortexfs') ?? `/tmp/cortexfs-${uid}`;
  const config = `${absolute(env['XDG_CONFIG_HOME']) ?? `${home}/.config`}/cortexfs`;
  return {
    kind,
    store: `${absolute(env['XDG_DATA_HOME']) ?? `${home}/.local/share`}/cortexfs/store`,
    runtime,
    config,
    secrets: `${config}/secrets`,
    defaultMount: chosenRoot(env) ?? (ctxWritable ? '/ctx' : `${runtime}/ctx`),
  };
}

const system = {
  kind: 'system',
  store: '/var/lib/cortexfs/storage/current',
  runtime: '/run/cortexfs',
  config: '/etc/cortexfs',
  secrets: '/var/lib/cortexfs/secrets',
} as const;

function chosenRoot(env: DeploymentFacts['env']): string | undefined {
  const root = env['CTX_ROOT'];
  if (root === undefined || root === '') return undefined;
  const path = absolute(root);
  if (path !== undefined) return path;
  throw new CortexError('EINVAL', `CTX_ROOT is ${JSON.stringify(root)}, which is not an absolute path`, {
    layer: 'path',
    hint: 'unset CTX_ROOT, or set it to the absolute path of the mount',
  });
}

/** The base directory specification says to ignore relative values. */
function absolute(path: string | undefined): string | undefined {
  if (!path?.startsWith('/') || path.includes('\0')) return undefined;
  return path === '/' ? path : path.replace(/\/+$/, '');
}

function join(directory: string | undefined, name: string): string | undefined {
  return directory === undefined ? undefined : `${directory}/${name}`;
}
