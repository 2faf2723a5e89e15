import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObjectName, type SessionName } from '@cortexfs/abi/names';
import { currentSession, sessionByCwd, sessionList } from '@cortexfs/abi/paths';
import { writeDurable } from '@cortexfs/linux/durable-write';
import { makePrivate } from './session-files.ts';

/** `index/list`, `index/current` and `index/by-cwd` beside the sessions (docs/host.md, "Index"). */
export class SessionIndex {
  readonly #sessions: string;

  constructor(sessions: string) {
    this.#sessions = sessions;
    makePrivate(join(sessions, 'index', 'by-cwd'));
  }

  /** Newest first. Rebuilt from the directories when the file is missing. */
  list(): SessionName[] {
    const text = readText(sessionList(this.#sessions));
    return text === undefined
      ? this.onDisk()
      : (text.split('\n').filter(isObjectName) as string[] as SessionName[]);
  }

  /** The session directories that exist, in name order. */
  onDisk(): SessionName[] {
    return readdirSync(this.#sessions, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'index' && isObjectName(entry.name))
      .map((entry) => entry.name as SessionName)
      .sort();
  }

  /** Puts a session at the head of the list and makes it the current one, also for its directory. */
  async touch(session: SessionName, cwd: string): Promise<void> {
    const list = this.list();
    if (list[0] !== session) {
      const names = [session, ...list.filter((name) => name !== session)];
      await this.#write(sessionList(this.#sessions), names.map((name) => `${name}\n`).join(''));
    }
    await this.#writeChanged(currentSession(this.#sessions), `${session}\n`);
    const digest = createHash('sha256').update(cwd).digest('hex');
    await this.#writeChanged(sessionByCwd(this.#sessions, digest), `${session}\n`);
  }

  async #writeChanged(path: string, text: string): Promise<void> {
    if (readText(path) !== text) await this.#write(path, text);
  }

  #write(path: string, text: string): Promise<void> {
    return writeDurable(path, text, { mode: 0o600 });
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
