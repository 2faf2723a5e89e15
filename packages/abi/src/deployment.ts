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
  kind?: Deployment['kind'];
  /** Whether /run/user/UID is a directory of this user; the caller looks. Default false. Counts in the system deployment only. */
  hasRunUser?: boolean;
}

/**
 * A deployment as one user has it: the user's own, from their environment alone, or the machine's, in which users other
 * than root keep what runs and their configuration in places of their own. EINVAL when CTX_ROOT is not an absolute path.
 */
export function resolveDeployment(facts: DeploymentFacts): Deployment {
  const { uid, env, kind = 'user', hasRunUser = false } = facts;
  const user = userDeployment(facts);
  if (kind === 'user') return user;
  const { config, secrets } = user;
  const [session, temporary] = runtimesOf(uid);
  const own = uid === 0 ? {} : { runtime: hasRunUser ? session : temporary, config, secrets };
  return { ...SYSTEM, ...own, defaultMount: chosenRoot(env) ?? '/ctx' };
}

/** The machine's deployment, as root has it. */
export const SYSTEM = {
  kind: 'system',
  store: '/var/lib/cortexfs/storage/current',
  runtime: '/run/cortexfs',
  config: '/etc/cortexfs',
  secrets: '/var/lib/cortexfs/secrets',
} as const;

/**
 * Where a user's sockets and receipts may be in the system deployment: with a login session, and without. Fixed, because
 * the mount has to know them; only the owner's own directory with mode 0700 counts.
 */
export function runtimesOf(uid: number): readonly [session: string, temporary: string] {
  return [`/run/user/${uid}/cortexfs`, `/tmp/cortexfs-${uid}`];
}

function userDeployment({ uid, home, env, ctxWritable = false }: DeploymentFacts): Deployment {
  const runtime = join(absolute(env['XDG_RUNTIME_DIR']), 'cortexfs') ?? runtimesOf(uid)[1];
  const config = `${absolute(env['XDG_CONFIG_HOME']) ?? `${home}/.config`}/cortexfs`;
  return {
    kind: 'user',
    store: `${absolute(env['XDG_DATA_HOME']) ?? `${home}/.local/share`}/cortexfs/store`,
    runtime,
    config,
    secrets: `${config}/secrets`,
    defaultMount: chosenRoot(env) ?? (ctxWritable ? '/ctx' : `${runtime}/ctx`),
  };
}

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
