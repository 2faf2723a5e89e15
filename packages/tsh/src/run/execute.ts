import type { StdioOptions } from 'node:child_process';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { type StandIn, standIn } from '@cortexfs/linux/stand-in';
import type { Shell } from '../shell.ts';
import type { Tool } from '../tool/tool.ts';
import { toolEnvironment } from './environment.ts';

/** Runs a tool to its end with exactly these arguments. Returns its exit code, or 128 and the signal that ended it. */
export async function execute(
  shell: Shell,
  tool: Tool,
  args: readonly string[],
  stdio: StdioOptions = 'inherit',
): Promise<number> {
  return await start(shell, tool, args, stdio).ended;
}

/** Starts a tool, for which this process stands in. */
export function start(shell: Shell, tool: Tool, args: readonly string[], stdio: StdioOptions): StandIn {
  const env = toolEnvironment(shell.env, shell.agent !== undefined);
  const { child, ended } = standIn(tool.file, args, { stdio, env });
  return {
    child,
    ended: ended.catch((error) => {
      throw cannotStart(error, tool.file);
    }),
  };
}

/** The file was there and executable a moment ago, so ENOENT speaks of its interpreter. */
function cannotStart(error: Error, file: string): CortexError {
  const failure = fromNodeError(error, { path: file, layer: 'tool' });
  if (failure.code !== 'ENOENT') return failure;
  return new CortexError('ENOENT', 'its interpreter is missing', {
    path: file,
    layer: 'tool',
    hint: 'ctx doctor',
  });
}
