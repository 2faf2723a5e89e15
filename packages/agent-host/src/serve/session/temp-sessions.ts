import { CortexError } from '@cortexfs/abi/errors';
import type { ObjectName, SessionName } from '@cortexfs/abi/names';
import { MemoryFiles } from './memory-files.ts';
import { Session } from './session.ts';
import { missing } from './session-store.ts';

/** Each takes three descriptors for as long as it lasts. */
export const MAX_TEMP_SESSIONS = 32;

interface Entry {
  readonly session: Promise<Session>;
  /** Clients that used it and are still there. */
  readonly users: Set<AbortSignal>;
}

/**
 * Sessions that are kept in memory only, each for as long as a client that used it stays connected (docs/sessions.md).
 * When the last one leaves, `end` brings its runs to their end; then nothing of it is left.
 */
export class TempSessions {
  readonly #agent: ObjectName;
  readonly #owner: number;
  readonly #end: (session: Session) => Promise<void>;
  readonly #entries = new Map<SessionName, Entry>();

  constructor(agent: ObjectName, owner: number, end: (session: Session) => Promise<void>) {
    this.#agent = agent;
    this.#owner = owner;
    this.#end = end;
  }

  /** ENOENT when nobody keeps such a session. */
  async open(name: SessionName, user?: AbortSignal): Promise<Session> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw missing(name);
    if (user !== undefined) this.#use(name, entry, user);
    return entry.session;
  }

  /** EAGAIN when too many are kept already. */
  async openOrCreate(name: SessionName, cwd: string, user: AbortSignal): Promise<Session> {
    const entry = this.#entries.get(name) ?? this.#begin(name, cwd);
    this.#use(name, entry, user);
    return entry.session;
  }

  async close(): Promise<void> {
    for (const name of [...this.#entries.keys()]) await this.#forget(name);
  }

  #begin(name: SessionName, cwd: string): Entry {
    if (this.#entries.size >= MAX_TEMP_SESSIONS) {
      throw new CortexError('EAGAIN', `${MAX_TEMP_SESSIONS} temp sessions are in use already`, {
        layer: 'session',
        hint: 'one ends when the clients that used it leave',
      });
    }
    const entry = { session: this.#made(name, cwd), users: new Set<AbortSignal>() };
    this.#entries.set(name, entry);
    entry.session.catch(() => this.#entries.delete(name));
    return entry;
  }

  async #made(session: SessionName, cwd: string): Promise<Session> {
    const files = new MemoryFiles();
    await files.create({ agent: this.#agent, session, owner: this.#owner, cwd, scope: 'temp' });
    return Session.open(session, files, 'temp');
  }

  #use(name: SessionName, entry: Entry, user: AbortSignal): void {
    if (entry.users.has(user)) return;
    entry.users.add(user);
    const leave = () => {
      entry.users.delete(user);
      if (entry.users.size === 0 && this.#entries.get(name) === entry) void this.#forget(name);
    };
    if (user.aborted) queueMicrotask(leave);
    else user.addEventListener('abort', leave, { once: true });
  }

  async #forget(name: SessionName): Promise<void> {
    const entry = this.#entries.get(name);
    this.#entries.delete(name);
    const session = await entry?.session.catch(() => undefined);
    if (session === undefined) return;
    await this.#end(session);
    session.close();
  }
}
