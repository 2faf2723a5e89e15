import { parseJsonObject } from '../json.ts';
import { parseObjectName } from '../names.ts';
import { integer, list, object, parsed, type Reader, readAs } from '../shape.ts';

/**
 * The tools that a session has loaded in its tool shell, as the agent's home keeps them in
 * `.tsh/context/<session>.json` (docs/tsh.md). Unpinned ones live in a W-TinyLFU cache; its lists are ordered from the
 * least recently used to the most recently used. Names only: nothing of it grants anything.
 */
export interface ToolContext {
  readonly pinned: readonly string[];
  readonly window: readonly string[];
  readonly probation: readonly string[];
  readonly protected: readonly string[];
  /** How often each name was used lately, 1 to 15; also of names that are not loaded. */
  readonly uses: Readonly<Record<string, number>>;
  /** Uses since the counters were last halved. */
  readonly since: number;
}

export const EMPTY_TOOL_CONTEXT: ToolContext = {
  pinned: [],
  window: [],
  probation: [],
  protected: [],
  uses: {},
  since: 0,
};

/** Where a session's tool context is kept, relative to the agent's home. */
export const toolContextFile = (session: string) => `.tsh/context/${session}.json`;

/** All loaded names: pinned ones first, then from the one that would stay longest to the one that would leave first. */
export function loadedNames({ pinned, window, probation, protected: kept }: ToolContext): string[] {
  return [...pinned, ...kept, ...probation, ...window];
}

export function parseToolContext(text: string): ToolContext {
  const { uses, ...lists } = readAs('tool context', shape, parseJsonObject(text));
  return { ...lists, uses: Object.fromEntries(uses.map(({ name, count }) => [name, count])) };
}

export function formatToolContext({ uses, ...lists }: ToolContext): string {
  const counters = Object.entries(uses).map(([name, count]) => ({ name, count }));
  return `${JSON.stringify({ ...lists, uses: counters })}\n`;
}

const names = list(parsed(parseObjectName) as Reader<string>, 2048);

const shape = object({
  pinned: names,
  window: names,
  probation: names,
  protected: names,
  uses: list(object({ name: parsed(parseObjectName) as Reader<string>, count: integer(1, 15) }), 4096),
  since: integer(0),
});
