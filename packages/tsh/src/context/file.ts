import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fromNodeError } from '@cortexfs/abi/errors';
import { parseJsonObject } from '@cortexfs/abi/json';
import { parseObjectName, parseSessionName } from '@cortexfs/abi/names';
import { integer, list, object, parsed, type Reader, readAs } from '@cortexfs/abi/shape';
import { readSmallFile } from '../place/small-file.ts';
import { EMPTY_CONTEXT, type ToolContext } from './cache.ts';

/** Where a session's tool context is kept: in the agent's home, which outlives its sandbox (docs/tsh.md). */
export function contextFile(env: NodeJS.ProcessEnv): string {
  const session = parseSessionName(env['CTX_SESSION'] || 'default');
  return join(env['HOME'] || homedir(), '.tsh', 'context', `${session}.json`);
}

/** A missing or damaged file is an empty context: it holds nothing that could not be loaded again. */
export function readContext(path: string): ToolContext {
  try {
    const text = readSmallFile(path, path);
    return text === undefined ? EMPTY_CONTEXT : parseContext(text);
  } catch {
    return EMPTY_CONTEXT;
  }
}

export function parseContext(text: string): ToolContext {
  const { uses, ...lists } = readAs('tool context', contextShape, parseJsonObject(text));
  return { ...lists, uses: Object.fromEntries(uses.map(({ name, count }) => [name, count])) };
}

export function formatContext({ uses, ...lists }: ToolContext): string {
  const counters = Object.entries(uses).map(([name, count]) => ({ name, count }));
  return `${JSON.stringify({ ...lists, uses: counters })}\n`;
}

export async function writeContext(path: string, context: ToolContext): Promise<void> {
  const { writeDurable } = await import('@cortexfs/linux/durable-write');
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    await writeDurable(path, formatContext(context), { mode: 0o600 });
  } catch (error) {
    throw fromNodeError(error, { path, layer: 'session' });
  }
}

const names = list(parsed(parseObjectName) as Reader<string>, 2048);

const contextShape = object({
  pinned: names,
  window: names,
  probation: names,
  protected: names,
  uses: list(object({ name: parsed(parseObjectName) as Reader<string>, count: integer(1, 15) }), 4096),
  since: integer(0),
});
