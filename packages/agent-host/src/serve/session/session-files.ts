import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectName, SessionName } from '@cortexfs/abi/names';
import { SESSION_FILES } from '@cortexfs/abi/paths';
import { formatSessionMeta, SESSION_SCHEMA } from '@cortexfs/abi/session/meta';
import { formatSessionState, SESSION_STATES, type SessionState } from '@cortexfs/abi/session/state';
import type { Timestamp } from '@cortexfs/abi/timestamp';
import { fsyncDirectorySync, writeDurable } from '@cortexfs/linux/durable-write';

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** What a session is from its beginning. */
export interface SessionIdentity {
  readonly agent: ObjectName;
  readonly session: SessionName;
  readonly owner: number;
  /** Where it works, as the agent sees it. */
  readonly cwd: string;
}

/** The small files of a session directory, each replaced whole (docs/host.md, "Session files"). */
export class SessionFiles {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  path(file: keyof typeof SESSION_FILES | 'context'): string {
    return join(this.directory, file === 'context' ? 'context' : SESSION_FILES[file]);
  }

  /** Makes the directories and the files that say what the session is; what exists stays. */
  async create(identity: SessionIdentity): Promise<void> {
    const { agent, session, owner, cwd } = identity;
    makePrivate(this.directory);
    makePrivate(this.path('context'));
    makePrivate(join(this.directory, 'terminal'));
    const createdAt: Timestamp = new Date().toISOString();
    await this.#writeMissing('cwd', `${cwd}\n`);
    await this.#writeMissing('createdAt', `${createdAt}\n`);
    const meta = {
      schema: SESSION_SCHEMA,
      agent,
      session,
      scope: 'private',
      owner,
      created_at: createdAt,
    } as const;
    await this.#writeMissing('meta', formatSessionMeta(meta));
    // Last: a directory without a state is one whose creation did not finish.
    await this.#writeMissing('state', 'idle\n');
  }

  exists(): boolean {
    return this.read('state') !== undefined;
  }

  state(): SessionState {
    const text = this.read('state')?.trim();
    return SESSION_STATES.find((state) => state === text) ?? 'error';
  }

  setState(state: SessionState): Promise<void> {
    return this.write('state', formatSessionState(state));
  }

  read(file: keyof typeof SESSION_FILES): string | undefined {
    try {
      return readFileSync(this.path(file), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  write(file: keyof typeof SESSION_FILES, text: string): Promise<void> {
    return writeDurable(this.path(file), text, { mode: FILE_MODE });
  }

  async writeChanged(file: keyof typeof SESSION_FILES, text: string): Promise<void> {
    if (this.read(file) !== text) await this.write(file, text);
  }

  async #writeMissing(file: keyof typeof SESSION_FILES, text: string): Promise<void> {
    if (this.read(file) === undefined) await this.write(file, text);
  }
}

/** A directory that only its owner may enter, with its parents. */
export function makePrivate(directory: string): void {
  const first = mkdirSync(directory, { recursive: true, mode: DIRECTORY_MODE });
  if (first !== undefined) fsyncDirectorySync(join(first, '..'));
}
