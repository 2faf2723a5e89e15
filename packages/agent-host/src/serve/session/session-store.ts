import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import type { ObjectName, SessionName } from '@cortexfs/abi/names';
import { privateSessions } from '@cortexfs/abi/paths';
import { isCutOff } from './cut-off.ts';
import { Session } from './session.ts';
import { makePrivate, SessionFiles } from './session-files.ts';
import { SessionIndex } from './session-index.ts';

export interface SessionStoreOptions {
  /** The store's directory on the host. */
  readonly store: string;
  readonly agent: ObjectName;
  readonly owner: number;
}

/** The private sessions of one agent: `home/<uid>/agent/<agent>/session/` (docs/host.md). */
export class SessionStore {
  readonly index: SessionIndex;
  readonly #directory: string;
  readonly #options: SessionStoreOptions;
  readonly #open = new Map<SessionName, Promise<Session>>();

  constructor(options: SessionStoreOptions) {
    this.#options = options;
    this.#directory = join(options.store, privateSessions(options.owner, options.agent));
    makePrivate(this.#directory);
    this.index = new SessionIndex(this.#directory);
  }

  directoryOf(session: SessionName): string {
    return join(this.#directory, session);
  }

  exists(session: SessionName): boolean {
    return new SessionFiles(this.directoryOf(session)).exists();
  }

  /** Opens a session; ENOENT when there is none. */
  open(session: SessionName): Promise<Session> {
    return this.#once(session, async () => {
      if (!this.exists(session)) throw missing(session);
      return Session.open(session, this.directoryOf(session));
    });
  }

  /** Opens a session, made first when there is none. */
  openOrCreate(session: SessionName, cwd: string): Promise<Session> {
    return this.#once(session, async () => {
      const { agent, owner } = this.#options;
      await new SessionFiles(this.directoryOf(session)).create({ agent, session, owner, cwd });
      return Session.open(session, this.directoryOf(session));
    });
  }

  /** Opens, and so repairs and settles, every session whose last run has no end. */
  async recover(): Promise<Session[]> {
    const cut = this.index.onDisk().filter((name) => this.exists(name) && isCutOff(this.directoryOf(name)));
    return Promise.all(cut.map((name) => this.open(name)));
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const session of await Promise.allSettled(open))
      if (session.status === 'fulfilled') session.value.close();
  }

  #once(session: SessionName, open: () => Promise<Session>): Promise<Session> {
    const known = this.#open.get(session);
    if (known !== undefined) return known;
    const opening = open();
    this.#open.set(session, opening);
    opening.catch(() => this.#open.delete(session));
    return opening;
  }
}

function missing(session: SessionName): CortexError {
  return new CortexError('ENOENT', `no session "${session}"`, {
    path: `session/${session}`,
    layer: 'session',
    hint: 'send a message to begin it',
  });
}
