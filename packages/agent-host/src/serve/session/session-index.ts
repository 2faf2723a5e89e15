import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObjectName, type SessionName } from '@cortexfs/abi/names';
import { currentSession, sessionByCwd, sessionList } from '@cortexfs/abi/paths';
import {
  formatCurrentSession,
  formatSessionList,
  parseSessionList,
  withNewest,
} from '@cortexfs/abi/session/index';
import { writeDurable } from '@cortexfs/linux/durable-write';
import { makePrivate } from './session-files.ts';

/** `index/list`, `index/current` and `index/by-cwd` beside the sessions (docs/host.md, "Index"). */
export class SessionIndex {
  readonly #sessions: string;

  constructor(sessions: string) {
    this.#sessions = sessions;
    makePrivate(join(sessions, 'index', 'by-cwd'));
  }

  /** Newest first. Rebuilt from the directories when the file is missing or unreadable. */
  list(): SessionName[] {
    const text = readText(sessionList(this.#sessions));
    return (text === undefined ? undefined : parsedList(text)) ?? this.onDisk();
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
    await this.#writeChanged(sessionList(this.#sessions), formatSessionList(withNewest(list, session)));
    const digest = createHash('sha256').update(cwd).digest('hex');
    for (const path of [currentSession(this.#sessions), sessionByCwd(this.#sessions, digest)]) {
      await this.#writeChanged(path, formatCurrentSession(session));
    }
  }

  async #writeChanged(path: string, text: string): Promise<void> {
    if (readText(path) !== text) await this.#write(path, text);
  }

  #write(path: string, text: string): Promise<void> {
    return writeDurable(path, text, { mode: 0o600 });
  }
}

function parsedList(text: string): SessionName[] | undefined {
  try {
    return parseSessionList(text);
  } catch {
    return undefined;
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
