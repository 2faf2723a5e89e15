import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SessionName } from '@cortexfs/abi/names';
import { sessionList } from '@cortexfs/abi/paths';
import {
  formatCurrentSession,
  formatSessionList,
  parseSessionList,
  withNewest,
} from '@cortexfs/abi/session/index';
import { writeDurable } from '@cortexfs/linux/durable-write';
import { makePrivate, PRIVATE_MODES } from './session-files.ts';
import { storageError } from './storage-error.ts';

/** Directories of an index, and what it lists. */
export interface IndexPlaces {
  readonly index: string;
  readonly byCwd: string;
  /** The sessions that exist, in name order. */
  onDisk(): SessionName[];
}

/** `index/list`, `index/current` and `index/by-cwd` beside the sessions (docs/host.md, "Index"). */
export class SessionIndex {
  readonly #places: IndexPlaces;
  readonly #mode: number;

  constructor(places: IndexPlaces, fileMode: number) {
    this.#places = places;
    this.#mode = fileMode;
  }

  /** The index of private sessions, made where it is missing. */
  static in(sessions: string, onDisk: () => SessionName[]): SessionIndex {
    const index = dirname(sessionList(sessions));
    const byCwd = join(index, 'by-cwd');
    makePrivate(byCwd);
    return new SessionIndex({ index, byCwd, onDisk }, PRIVATE_MODES.file);
  }

  /** Newest first. Rebuilt from the directories when the file is missing or unreadable. */
  list(): SessionName[] {
    const text = readText(join(this.#places.index, 'list'));
    return (text === undefined ? undefined : parsedList(text)) ?? this.#places.onDisk();
  }

  /** Puts a session at the head of the list and makes it the current one, also for its directory. */
  async touch(session: SessionName, cwd: string): Promise<void> {
    const { index, byCwd } = this.#places;
    await this.#writeChanged(join(index, 'list'), formatSessionList(withNewest(this.list(), session)));
    const digest = createHash('sha256').update(cwd).digest('hex');
    for (const path of [join(index, 'current'), join(byCwd, digest)]) {
      await this.#writeChanged(path, formatCurrentSession(session));
    }
  }

  async #writeChanged(path: string, text: string): Promise<void> {
    if (readText(path) === text) return;
    await writeDurable(path, text, { mode: this.#mode }).catch((error) => {
      throw storageError(error, path);
    });
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
