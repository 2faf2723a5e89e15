import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { checkout, type Ended, type RunOptions, run } from './place.ts';

/** Who types the commands of a clone. */
export interface Person {
  readonly uid: number;
  readonly gid: number;
  readonly env: NodeJS.ProcessEnv;
}

/** How this machine reaches the package registry: whoever installs packages on it needs these variables. */
export const networkEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy)$/i.test(name),
  ),
);

/** A copy of the checkout's own files at a new path, without anything installed or built, owned by a person. */
export class Clone {
  readonly path: string;
  readonly #person: Person;

  constructor(path: string, person: Person) {
    this.path = path;
    this.#person = person;
    mkdirSync(path, { recursive: true });
    const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: checkout,
    });
    const archive = execFileSync('tar', ['--create', '--null', '--files-from=-'], {
      cwd: checkout,
      input: files,
      maxBuffer: 1 << 28,
    });
    execFileSync('tar', ['--extract', '--directory', path, '--no-same-owner'], { input: archive });
    execFileSync('chown', ['-R', `${person.uid}:${person.gid}`, path]);
  }

  /** `npm start -- ARGS…`, typed in a directory. */
  start(cwd: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return this.npm(cwd, ['start', '--', ...args], options);
  }

  npm(cwd: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const { uid, gid, env } = this.#person;
    return run('npm', ['--prefix', this.path, ...args], {
      uid,
      gid,
      cwd,
      ...options,
      env: { ...env, ...options.env },
    });
  }
}
