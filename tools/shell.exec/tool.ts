import { CortexError } from '@cortexfs/abi/errors';
import { heldPath, statHeld } from '../filesystem/descriptor.ts';
import { locateExisting } from '../filesystem/locate.ts';
import { currentScope } from '../filesystem/scope.ts';
import { bareWord, usage, validate } from '../generated/shell.exec.js';
import type { FrameTool, ToolOutput } from '../tool.ts';
import { type CommandResult, runCommand } from './command.ts';

export const DEFAULT_TIMEOUT_S = 60;

export interface ExecInput {
  readonly cmd: string;
  readonly cwd?: string;
  readonly timeout_s?: number;
}

/** shell.exec: one command line, its outcome as JSON; an exit code other than 0 is no failure (docs/tools.md). */
export const tool: FrameTool<ExecInput> = { kind: 'frames', check: validate, bareWord, usage, run: exec };

async function exec(
  { cmd, cwd = '.', timeout_s = DEFAULT_TIMEOUT_S }: ExecInput,
  out: ToolOutput,
): Promise<void> {
  if (cmd.includes('\0'))
    throw new CortexError('EINVAL', 'a command line cannot contain NUL', { layer: 'tool' });
  out.message(JSON.stringify(await runIn(cwd, cmd, timeout_s * 1000)));
}

async function runIn(cwd: string, cmd: string, timeoutMs: number): Promise<CommandResult> {
  const found = locateExisting(cwd, currentScope(), true);
  try {
    if (!statHeld(found.object).isDirectory()) {
      throw new CortexError('ENOTDIR', 'is not a directory', { path: cwd, layer: 'tool' });
    }
    return await runCommand(cmd, heldPath(found.object), timeoutMs);
  } finally {
    found.release();
  }
}
