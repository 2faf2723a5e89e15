import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import type { SessionScope } from '@cortexfs/abi/frames/session-address';
import { isObjectName, type ObjectName, type SessionName, type SpaceName } from '@cortexfs/abi/names';
import { privateSessions, sharedSessions, sharedSpace } from '@cortexfs/abi/paths';
import { HeldDirectories } from './held-directories.ts';
import { makePrivate, SessionFiles, type SessionModes } from './session-files.ts';
import { SessionIndex } from './session-index.ts';

/** Where the sessions of one scope lie (docs/sessions.md). */
export interface SessionGround {
  readonly scope: SessionScope;
  readonly space?: SpaceName;
  readonly index: SessionIndex;
  /** The sessions that exist, in name order. */
  onDisk(): SessionName[];
  /** The files of a session, whose directories are made first when `make` is set; ENOENT otherwise where they are missing. */
  files(session: SessionName, make: boolean): SessionFiles;
  close(): void;
}

/** Each holds three directories for as long as the host lives. */
const MAX_SHARED_SESSIONS = 64;

/** `home/<uid>/agent/<agent>/session/`: nobody but the owner can enter it. */
export function privateGround(store: string, owner: number, agent: ObjectName): SessionGround {
  const directory = join(store, privateSessions(owner, agent));
  makePrivate(directory);
  return {
    scope: 'private',
    index: SessionIndex.in(directory, () => namesIn(directory)),
    onDisk: () => namesIn(directory),
    files: (session) => new SessionFiles(join(directory, session)),
    close() {},
  };
}

/**
 * `shared/<space>/agent/<agent>/session/`, with the modes of the space, in which others may write: everything is reached
 * without following links. ENOENT when there is no such space, or without `make` no session in it.
 */
export function sharedGround(
  store: string,
  space: SpaceName,
  agent: ObjectName,
  make: boolean,
): SessionGround {
  const held = new HeldDirectories();
  try {
    const root = held.hold(store, sharedSpace(space));
    const modes = modesOf(root);
    const mode = make ? modes.directory : undefined;
    const below = sharedSessions(space, agent).slice(sharedSpace(space).length + 1);
    const directory = held.hold(root, below, mode);
    const index = held.hold(directory, 'index', modes.directory);
    const byCwd = held.hold(index, 'by-cwd', modes.directory);
    const known = new Map<SessionName, SessionFiles>();
    return {
      scope: 'shared',
      space,
      index: new SessionIndex({ index, byCwd, onDisk: () => namesIn(directory) }, modes.file),
      onDisk: () => namesIn(directory),
      files(session, make) {
        const before = known.get(session);
        if (before !== undefined) return before;
        if (known.size >= MAX_SHARED_SESSIONS) throw tooMany(space);
        const at = held.hold(directory, session, make ? modes.directory : undefined);
        held.hold(at, 'terminal', modes.directory);
        const files = new SessionFiles(at, held.hold(at, 'context', modes.directory), modes);
        known.set(session, files);
        return files;
      },
      close: () => held.close(),
    };
  } catch (error) {
    held.close();
    throw error;
  }
}

/** The spaces in which an agent has sessions, in name order. */
export function spacesOf(store: string, agent: ObjectName): SpaceName[] {
  return directoriesIn(join(store, 'shared'))
    .filter((name) => directoriesIn(join(store, sharedSessions(name as SpaceName, agent))).length > 0)
    .sort() as SpaceName[];
}

function tooMany(space: SpaceName): CortexError {
  return new CortexError('EAGAIN', `${MAX_SHARED_SESSIONS} sessions of this space are in use already`, {
    path: sharedSpace(space),
    layer: 'session',
    hint: 'the agent can use others after a restart',
  });
}

function modesOf(directory: string): SessionModes {
  const mode = statSync(directory).mode & 0o7777;
  return { directory: mode, file: mode & 0o666 };
}

function namesIn(directory: string): SessionName[] {
  return directoriesIn(directory)
    .filter((name) => name !== 'index')
    .sort() as SessionName[];
}

function directoriesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && isObjectName(entry.name))
      .map(({ name }) => name);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
