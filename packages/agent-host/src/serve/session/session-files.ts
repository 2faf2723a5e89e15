import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { SessionScope } from '@cortexfs/abi/frames/session-address';
import type { ObjectName, SessionName, SpaceName } from '@cortexfs/abi/names';
import { SESSION_FILES } from '@cortexfs/abi/paths';
import { formatSessionMeta, SESSION_SCHEMA } from '@cortexfs/abi/session/meta';
import { formatSessionState, SESSION_STATES, type SessionState } from '@cortexfs/abi/session/state';
import type { Timestamp } from '@cortexfs/abi/timestamp';
import { fsyncDirectorySync, writeDurable } from '@cortexfs/linux/durable-write';
import type { EventLog } from './event-log.ts';
import { LineLog } from './line-log.ts';
import { RequestLedger } from './request-ledger.ts';
import { storageError } from './storage-error.ts';

/** Permission bits of what a session consists of. */
export interface SessionModes {
  readonly directory: number;
  readonly file: number;
}

export const PRIVATE_MODES: SessionModes = { directory: 0o700, file: 0o600 };

/** What a session is from its beginning. */
export interface SessionIdentity {
  readonly agent: ObjectName;
  readonly session: SessionName;
  readonly owner: number;
  /** Where it works, as the agent sees it. */
  readonly cwd: string;
  readonly scope: SessionScope;
  readonly space?: SpaceName;
}

/** The small files of a session directory, each replaced whole (docs/host.md, "Session files"). */
export class SessionFiles {
  readonly directory: string;
  readonly #context: string;
  readonly #modes: SessionModes;

  /** `context` is where caches go; below the session unless given. */
  constructor(directory: string, context = join(directory, 'context'), modes = PRIVATE_MODES) {
    this.directory = directory;
    this.#context = context;
    this.#modes = modes;
  }

  path(file: keyof typeof SESSION_FILES | 'context'): string {
    return file === 'context' ? this.#context : join(this.directory, SESSION_FILES[file]);
  }

  /** Makes the directories and the files that say what the session is; what exists stays. */
  async create(identity: SessionIdentity): Promise<void> {
    const { agent, session, owner, cwd, scope, space } = identity;
    this.makeDirectories();
    const createdAt: Timestamp = new Date().toISOString();
    await this.#writeMissing('cwd', `${cwd}\n`);
    await this.#writeMissing('createdAt', `${createdAt}\n`);
    const meta = {
      schema: SESSION_SCHEMA,
      agent,
      session,
      scope,
      ...(space === undefined ? {} : { space }),
      owner,
      created_at: createdAt,
    } as const;
    await this.#writeMissing('meta', formatSessionMeta(meta));
    // Last: a directory without a state is one whose creation did not finish.
    await this.#writeMissing('state', 'idle\n');
  }

  openLog(log: 'messages' | 'events'): LineLog {
    if (this.#modes.file !== PRIVATE_MODES.file) makeFile(this.path(log), this.#modes.file);
    return LineLog.open(this.path(log));
  }

  /** The request ids; rebuilt from the events unless they are `trusted`. */
  openLedger(events: EventLog, trusted: boolean): RequestLedger {
    return RequestLedger.open(join(this.#context, 'requests.jsonl'), events, trusted);
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
    return this.#replace(this.path(file), text);
  }

  /** A view that can be made anew, in `context/`. */
  writeContext(name: string, text: string): Promise<void> {
    return this.#replace(join(this.#context, name), text);
  }

  async #replace(path: string, text: string): Promise<void> {
    await writeDurable(path, text, { mode: this.#modes.file }).catch((error) => {
      throw storageError(error, path);
    });
  }

  async writeChanged(file: keyof typeof SESSION_FILES, text: string): Promise<void> {
    if (this.read(file) !== text) await this.write(file, text);
  }

  protected makeDirectories(): void {
    for (const path of [this.directory, this.#context, join(this.directory, 'terminal')])
      makeDirectory(path, this.#modes.directory);
  }

  async #writeMissing(file: keyof typeof SESSION_FILES, text: string): Promise<void> {
    if (this.read(file) === undefined) await this.write(file, text);
  }
}

/** A directory that only its owner may enter, with its parents. */
export function makePrivate(directory: string): void {
  makeDirectory(directory, PRIVATE_MODES.directory);
}

function makeDirectory(directory: string, mode: number): void {
  const first = made(directory, mode);
  if (first === undefined) return;
  // The umask is for what people make, not for a space's own modes.
  if (mode !== PRIVATE_MODES.directory) chmodSync(directory, mode);
  fsyncDirectorySync(join(first, '..'));
}

function made(directory: string, mode: number): string | undefined {
  try {
    return mkdirSync(directory, { recursive: true, mode });
  } catch (error) {
    throw storageError(refusalOf(directory) ?? error, directory);
  }
}

/** Why the first missing part cannot be made: of a read-only file system node says ENOENT when it was to make all parts. */
function refusalOf(directory: string): unknown {
  let missing = directory;
  while (dirname(missing) !== missing && !existsSync(dirname(missing))) missing = dirname(missing);
  try {
    mkdirSync(missing, { mode: 0o700 });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Logs are opened with mode 0600 where they do not exist; one with another mode is made before. */
function makeFile(path: string, mode: number): void {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  try {
    const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    fchmodSync(fd, mode);
    closeSync(fd);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
