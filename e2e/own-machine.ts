import { spawn } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Test } from 'tap';
import { guardFolder } from './guard.ts';
import { checkout, type Ended, run } from './place.ts';
import { until } from './until.ts';

/** Somebody on a machine. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** Supplementary groups. */
  readonly groups: readonly number[];
}

export const ROOT: Account = { name: 'root', uid: 0, gid: 0, groups: [] };

export interface RunAs {
  readonly as?: Account | undefined;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface BootOptions {
  /** Sourced by own-machine.sh: what is the first process, and what it needs. */
  readonly init?: string;
  /** Further namespaces, as options of unshare. */
  readonly namespaces?: readonly string[];
  /** Prepares a place for its processes; the answer puts one there. */
  readonly enter?: (t: Test, folder: string) => (pid: number) => void;
  readonly isUp?: (machine: OwnMachine) => Promise<boolean>;
}

/**
 * A machine of its own for tests of what is there once a machine: /ctx, /run, /var/lib, /etc with its accounts. It has the
 * programs of this one: its root is an overlay over ours in mount and pid namespaces, and everything written goes to
 * memory. With its first process, which ends when the test does, all of it is gone.
 */
export class OwnMachine {
  /** Where the checkout and node are there, for everybody to run. */
  readonly checkout = '/opt/cortexfs';
  readonly #node: string;
  readonly #pid: number;

  private constructor(pid: number, node: string) {
    this.#pid = pid;
    this.#node = node;
  }

  static async boot(t: Test, { init, namespaces = [], enter, isUp }: BootOptions = {}): Promise<OwnMachine> {
    const folder = mkdtempSync('/tmp/cfs-');
    guardFolder(folder);
    const node = process.execPath.startsWith('/usr/') ? process.execPath : '/opt/cortexfs-node';
    const args = [folder, checkout, process.execPath, node, ...(init ? [init] : [])];
    // It waits for a line, so that it can be put where it shall be before it starts anything.
    const wait = 'read -r _; exec /usr/bin/unshare "$@"';
    const unshare = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private', ...namespaces];
    const script = ['/bin/sh', `${checkout}/e2e/own-machine.sh`, ...args];
    const child = spawn('/bin/sh', ['-c', wait, 'sh', ...unshare, ...script], {
      cwd: '/',
      env: { PATH },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    t.teardown(async () => {
      child.ref();
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    });
    enter?.(t, folder)(child.pid!);
    child.stdin.write('\n');
    const machine = await until('the machine is up', async () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${said}`);
      const pid = firstChildOf(child.pid!);
      if (pid === undefined) return undefined;
      const machine = new OwnMachine(pid, node);
      return (isUp ? await isUp(machine) : said.includes('up\n')) ? machine : undefined;
    });
    // A test file ends when nothing is left to wait for.
    for (const held of [child, child.stdin, child.stdout, child.stderr] as Socket[]) held.unref();
    return machine;
  }

  /** Where a path of that machine is for this process. */
  at(path: string): string {
    return `/proc/${this.#pid}/root${path}`;
  }

  addGroup(name: string, gid: number): void {
    appendFileSync(this.at('/etc/group'), `${name}:x:${gid}:\n`);
  }

  /** With a home directory, and where login sessions are, a runtime directory. */
  addUser(name: string, uid: number, groups: readonly number[] = [], session = true): Account {
    appendFileSync(this.at('/etc/passwd'), `${name}:x:${uid}:${uid}::/home/${name}:/bin/bash\n`);
    this.addGroup(name, uid);
    for (const folder of [`/home/${name}`, ...(session ? [`/run/user/${uid}`] : [])]) {
      mkdirSync(this.at(folder), { recursive: true, mode: 0o700 });
      chownSync(this.at(folder), uid, uid);
    }
    return { name, uid, gid: uid, groups };
  }

  /** Runs a program there, in the home directory of whom it runs as. */
  run(argv: readonly string[], options: RunAs = {}): Promise<Ended> {
    const [program, args, { env }] = this.command(argv, options);
    return run(program, args, { input: options.input ?? '', env });
  }

  /** What starts a program there: as for `spawn`. */
  command(
    argv: readonly string[],
    { as = ROOT, env = {} }: RunAs = {},
  ): [string, string[], { env: NodeJS.ProcessEnv }] {
    const home = as.uid === 0 ? '/root' : `/home/${as.name}`;
    const groups = as.groups.length > 0 ? ['--groups', as.groups.join()] : ['--clear-groups'];
    const there = ['--target', `${this.#pid}`, '--mount', '--pid', '--root', `--wdns=${home}`, '--'];
    const them = ['/usr/bin/setpriv', '--reuid', `${as.uid}`, '--regid', `${as.gid}`, ...groups, '--'];
    return [
      '/usr/bin/nsenter',
      [...there, ...them, ...argv],
      { env: { PATH, HOME: home, USER: as.name, LANG: 'C.UTF-8', ...env } },
    ];
  }

  /** Runs node there. */
  node(args: readonly string[], options: RunAs = {}): Promise<Ended> {
    return this.run([this.#node, ...args], options);
  }

  /** Runs the built ctx there. */
  ctx(args: readonly string[], options: RunAs = {}): Promise<Ended> {
    return this.node([`${this.checkout}/dist/bin/ctx`, ...args], options);
  }

  /** Runs the built ctx and ends the test unless it exits 0. */
  async must(args: readonly string[], options: RunAs = {}): Promise<string> {
    const { code, out, err } = await this.ctx(args, options);
    if (code === 0) return out;
    throw new Error(`ctx ${args.join(' ')} exited ${code}: ${err}`);
  }
}

const PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

function firstChildOf(pid: number): number | undefined {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return child ? Number(child) : undefined;
}
