import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fromNodeError } from '@cortexfs/abi/errors';
import { parseSessionName } from '@cortexfs/abi/names';
import {
  EMPTY_TOOL_CONTEXT,
  formatToolContext,
  parseToolContext,
  type ToolContext,
  toolContextFile,
} from '@cortexfs/abi/session/tool-context';
import { readSmallFile } from '../place/small-file.ts';

/** Where a session's tool context is kept: in the agent's home, which outlives its sandbox (docs/tsh.md). */
export function contextFile(env: NodeJS.ProcessEnv): string {
  const session = parseSessionName(env['CTX_SESSION'] || 'default');
  return join(env['HOME'] || homedir(), toolContextFile(session));
}

/** A missing or damaged file is an empty context: it holds nothing that could not be loaded again. */
export function readContext(path: string): ToolContext {
  try {
    const text = readSmallFile(path, path);
    return text === undefined ? EMPTY_TOOL_CONTEXT : parseToolContext(text);
  } catch {
    return EMPTY_TOOL_CONTEXT;
  }
}

export async function writeContext(path: string, context: ToolContext): Promise<void> {
  const { writeDurable } = await import('@cortexfs/linux/durable-write');
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    await writeDurable(path, formatToolContext(context), { mode: 0o600 });
  } catch (error) {
    throw fromNodeError(error, { path, layer: 'session' });
  }
}
