import { type FileHandle, open } from 'node:fs/promises';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import type { ObjectName, SessionName } from '@cortexfs/abi/names';
import { type SESSION_FILES, sessionDir, sessionFile } from '@cortexfs/abi/paths';
import { ownerOf } from '../place/agents.ts';

/** A file of an agent's private session, by its path below the root. ENOENT when there is no such session. */
export async function openSessionFile(
  root: string,
  agent: ObjectName,
  session: SessionName,
  file: keyof typeof SESSION_FILES,
): Promise<FileHandle> {
  const path = sessionFile(sessionDir(ownerOf(root, agent), agent, session), file);
  try {
    return await open(`${root}/${path}`);
  } catch (error) {
    const failure = fromNodeError(error, { path });
    if (failure.code !== 'ENOENT') throw failure;
    throw new CortexError('ENOENT', `session "${session}" has nothing of that yet`, {
      path,
      layer: 'session',
      hint: `ctx agent send ${agent} --session ${session} TEXT`,
    });
  }
}
