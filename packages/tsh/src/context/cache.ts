import { loadedNames, type ToolContext } from '@cortexfs/abi/session/tool-context';
import type { Limits } from './limits.ts';

const MOST_USES = 15;
const PROTECTED_PART = 0.8;

/** Loads a tool, or notes a use of a loaded one. What had to leave is what `loadedNames` no longer shows. */
export function touch(context: ToolContext, name: string, limits: Limits): ToolContext {
  const counted = count(context, name, limits);
  if (counted.pinned.includes(name)) return counted;
  const { windowSize, mainSize } = sizes(counted, limits);
  if (counted.window.includes(name)) return { ...counted, window: last(counted.window, name) };
  if (counted.protected.includes(name)) return { ...counted, protected: last(counted.protected, name) };
  if (counted.probation.includes(name)) return promote(counted, name, mainSize);
  return fit({ ...counted, window: [...counted.window, name] }, windowSize, mainSize);
}

/** Notes a use only when the tool is loaded. */
export function use(context: ToolContext, name: string, limits: Limits): ToolContext {
  return loadedNames(context).includes(name) ? touch(context, name, limits) : count(context, name, limits);
}

export function remove(context: ToolContext, name: string): ToolContext {
  return {
    ...context,
    pinned: without(context.pinned, name),
    window: without(context.window, name),
    probation: without(context.probation, name),
    protected: without(context.protected, name),
  };
}

/** Undefined when so many are pinned already that no other tool could be loaded. */
export function pin(context: ToolContext, name: string, limits: Limits): ToolContext | undefined {
  if (context.pinned.includes(name)) return context;
  if (context.pinned.length + 1 > limits.max_loaded_tools) return undefined;
  const removed = remove(count(context, name, limits), name);
  return resize({ ...removed, pinned: [...removed.pinned, name] }, limits);
}

/** The tool stays loaded, as one that was just used. */
export function unpin(context: ToolContext, name: string, limits: Limits): ToolContext {
  if (!context.pinned.includes(name)) return context;
  return touch({ ...context, pinned: without(context.pinned, name) }, name, limits);
}

/** Brings a context below limits that have become smaller. */
export function resize(context: ToolContext, limits: Limits): ToolContext {
  const { windowSize, mainSize } = sizes(context, limits);
  return fit(context, windowSize, mainSize);
}

function sizes({ pinned }: ToolContext, limits: Limits): { windowSize: number; mainSize: number } {
  const capacity = Math.max(0, Math.min(limits.cache_capacity, limits.max_loaded_tools - pinned.length));
  const windowSize = Math.min(capacity, Math.max(1, Math.round((capacity * limits.window_percent) / 100)));
  return { windowSize, mainSize: capacity - windowSize };
}

/** Counts a use; after ten times the capacity all counters are halved, so that old habits fade. */
function count(context: ToolContext, name: string, limits: Limits): ToolContext {
  const uses = { ...context.uses, [name]: Math.min(MOST_USES, (context.uses[name] ?? 0) + 1) };
  if (context.since + 1 < limits.cache_capacity * 10) return { ...context, uses, since: context.since + 1 };
  const halved = Object.entries(uses)
    .map(([key, value]) => [key, Math.floor(value / 2)] as const)
    .filter(([, value]) => value > 0);
  return { ...context, uses: Object.fromEntries(halved), since: 0 };
}

function promote(context: ToolContext, name: string, mainSize: number): ToolContext {
  const kept = [...context.protected, name];
  const probation = without(context.probation, name);
  const most = Math.floor(mainSize * PROTECTED_PART);
  const over = Math.max(0, kept.length - most);
  return { ...context, protected: kept.slice(over), probation: [...probation, ...kept.slice(0, over)] };
}

/** What is too much leaves the window for the rest of the cache, where it competes with the least recently used. */
function fit(context: ToolContext, windowSize: number, mainSize: number): ToolContext {
  let { window, probation, protected: kept } = context;
  const uses = (name: string) => context.uses[name] ?? 0;
  while (window.length > windowSize) {
    const candidate = window[0]!;
    window = window.slice(1);
    probation = [...probation, candidate];
    if (probation.length + kept.length <= mainSize) continue;
    const victim = probation.length > 1 ? probation[0]! : (kept[0] ?? candidate);
    const loser = uses(candidate) > uses(victim) ? victim : candidate;
    probation = without(probation, loser);
    kept = without(kept, loser);
  }
  const over = Math.max(0, probation.length + kept.length - mainSize);
  const fromKept = Math.max(0, over - probation.length);
  return { ...context, window, probation: probation.slice(over), protected: kept.slice(fromKept) };
}

function without(names: readonly string[], name: string): string[] {
  return names.filter((other) => other !== name);
}

function last(names: readonly string[], name: string): string[] {
  return [...without(names, name), name];
}
