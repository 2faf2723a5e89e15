import { openSync } from 'node:fs';
import { CortexError, fromNodeError, withContext } from '@cortexfs/abi/errors';
import { execDescriptor } from '@cortexfs/linux/exec-descriptor';
import { currentRun } from '../run-id.ts';
import { nodeOptions } from './node-script.ts';
import { storedArtifact } from './stored.ts';

export interface Plugin {
  /** The opened artifact. */
  readonly artifact: number;
  /** The object as it was opened, an absolute path without links. */
  readonly file: string;
  /** What it is called in messages. */
  readonly path: string;
  readonly args: readonly string[];
}

/** Becomes an installed object's artifact, with the same arguments and streams (docs/plugins.md). Returns only by throwing. */
export function becomePlugin({ artifact, file, path, args }: Plugin): never {
  const env = { ...process.env, CTX_RUN_ID: currentRun() };
  const fd = storedArtifact(artifact, file);
  try {
    const options = nodeOptions(fd);
    if (options === undefined) execDescriptor(fd, { argv: [file, ...args], env, keep: [fd] });
    execDescriptor(openSync(process.execPath, 'r'), {
      // By its descriptor, not by the name behind it, which may mean something else by now.
      argv: ['node', ...options, '--preserve-symlinks-main', `/dev/fd/${fd}`, ...args],
      env,
      keep: [fd],
    });
  } catch (error) {
    throw cannotStart(fromNodeError(error, { layer: 'tool' }), path);
  }
}

function cannotStart(error: CortexError, path: string): CortexError {
  if (error.code === 'ENOENT')
    return new CortexError('ENOENT', 'the interpreter that its first line names is missing', {
      path,
      layer: 'tool',
      hint: 'a sandbox shows /usr and nothing else; "#!/usr/bin/env node" always finds node',
    });
  if (error.code === 'ENOEXEC')
    return new CortexError('ENOEXEC', 'is no program of this machine and begins with no #! line', {
      path,
      layer: 'tool',
    });
  return withContext(error, { path });
}
