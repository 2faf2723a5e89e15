import { CortexError } from '@cortexfs/abi/errors';
import type { ObjectName, SessionName } from '@cortexfs/abi/names';
import { isCutOff } from './cut-off.ts';
import type { SessionGround } from './ground.ts';
import { Session } from './session.ts';

/** The sessions of one agent in one place: its private ones, or those of a shared space (docs/host.md). */
export class SessionStore {
  readonly #ground: SessionGround;
  readonly #agent: ObjectName;
  readonly #owner: number;
  readonly #open = new Map<SessionName, Promise<Session>>();

  constructor(ground: SessionGround, agent: ObjectName, owner: number) {
    this.#ground = ground;
    this.#agent = agent;
    this.#owner = owner;
  }

  get index(): SessionGround['index'] {
    return this.#ground.index;
  }

  exists(session: SessionName): boolean {
    return this.#ground.onDisk().includes(session) && this.#ground.files(session, false).exists();
  }

  /** Opens a session; ENOENT when there is none. */
  open(session: SessionName): Promise<Session> {
    return this.#once(session, async () => {
      if (!this.exists(session)) throw missing(session);
      return this.#opened(session, false);
    });
  }

  /** Opens a session, made first when there is none. */
  openOrCreate(session: SessionName, cwd: string): Promise<Session> {
    return this.#once(session, () => this.#opened(session, true, cwd));
  }

  /** Opens, and so repairs and settles, every session whose last run has no end. */
  async recover(): Promise<Session[]> {
    const cut = this.#ground.onDisk().filter((name) => {
      const files = this.#ground.files(name, false);
      return files.exists() && isCutOff(files);
    });
    return Promise.all(cut.map((name) => this.open(name)));
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const session of await Promise.allSettled(open))
      if (session.status === 'fulfilled') session.value.close();
    this.#ground.close();
  }

  async #opened(session: SessionName, make: boolean, cwd = '/'): Promise<Session> {
    const { scope, space } = this.#ground;
    const files = this.#ground.files(session, make);
    const identity = { agent: this.#agent, session, owner: this.#owner, cwd, scope };
    if (make) await files.create({ ...identity, ...(space === undefined ? {} : { space }) });
    return Session.open(session, files, scope, space);
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

export function missing(session: SessionName): CortexError {
  return new CortexError('ENOENT', `no session "${session}"`, {
    path: `session/${session}`,
    layer: 'session',
    hint: 'send a message to begin it',
  });
}
