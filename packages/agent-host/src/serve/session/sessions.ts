import type { SessionAddress } from '@cortexfs/abi/frames/session-address';
import type { ObjectName, SpaceName } from '@cortexfs/abi/names';
import { privateGround, sharedGround, spacesOf } from './ground.ts';
import type { Session } from './session.ts';
import { SessionStore } from './session-store.ts';
import { TempSessions } from './temp-sessions.ts';

export interface SessionsOptions {
  /** The store's directory on the host. */
  readonly store: string;
  readonly agent: ObjectName;
  readonly owner: number;
  /** Brings the runs of a temp session to their end. */
  readonly end: (session: Session) => Promise<void>;
}

/** Every session of one agent: private, shared and temp ones (docs/sessions.md). */
export class Sessions {
  readonly private: SessionStore;
  readonly #options: SessionsOptions;
  readonly #shared = new Map<SpaceName, SessionStore>();
  readonly #temp: TempSessions;

  constructor(options: SessionsOptions) {
    const { store, agent, owner } = options;
    this.#options = options;
    this.private = new SessionStore(privateGround(store, owner, agent), agent, owner);
    this.#temp = new TempSessions(agent, owner, options.end);
  }

  /** Opens a session; ENOENT when there is none. A temp one stays until `user` is aborted; who only looks keeps nothing. */
  async open({ session, scope, space }: SessionAddress, user?: AbortSignal): Promise<Session> {
    if (scope === 'temp') return this.#temp.open(session, user);
    return this.#storeOf(space, false).open(session);
  }

  /** Opens a session, made first when there is none, and notes in its index that it is in use. */
  async openOrCreate(
    { session, scope, space }: SessionAddress,
    cwd: string,
    user: AbortSignal,
  ): Promise<Session> {
    if (scope === 'temp') return this.#temp.openOrCreate(session, cwd, user);
    return this.#storeOf(space, true).openOrCreate(session, cwd);
  }

  /** Puts a session at the head of its index; a temp one has none. */
  async touch({ name, scope, space }: Session, cwd: string): Promise<void> {
    if (scope !== 'temp') await this.#storeOf(space, false).index.touch(name, cwd);
  }

  /** Repairs what an earlier host left; a space that cannot be entered is passed over and told. */
  async recover(tell: (line: string) => void): Promise<Session[]> {
    const recovered = await this.private.recover();
    for (const space of spacesOf(this.#options.store, this.#options.agent)) {
      try {
        recovered.push(...(await this.#storeOf(space, false).recover()));
      } catch (error) {
        tell(`shared/${space}: its sessions were not looked at: ${(error as Error).message}`);
      }
    }
    return recovered;
  }

  async close(): Promise<void> {
    await this.#temp.close();
    for (const store of [this.private, ...this.#shared.values()]) await store.close();
  }

  #storeOf(space: SpaceName | undefined, make: boolean): SessionStore {
    if (space === undefined) return this.private;
    const known = this.#shared.get(space);
    if (known !== undefined) return known;
    const { store, agent, owner } = this.#options;
    const opened = new SessionStore(sharedGround(store, space, agent, make), agent, owner);
    this.#shared.set(space, opened);
    return opened;
  }
}
