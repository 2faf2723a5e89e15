import { isDeepStrictEqual } from 'node:util';
import {
  EMPTY_TOOL_CONTEXT as EMPTY_CONTEXT,
  formatToolContext,
  loadedNames,
  parseToolContext,
  type ToolContext,
} from '@cortexfs/abi/session/tool-context';
import fc from 'fast-check';
import t from 'tap';
import { pin, remove, resize, touch, unpin, use } from '../../src/context/cache.ts';
import { DEFAULT_LIMITS, parseLimits } from '../../src/context/limits.ts';

const limits = { max_loaded_tools: 10, cache_capacity: 6, window_percent: 20 };
const load = (context: ToolContext, ...names: string[]) =>
  names.reduce((c, name) => touch(c, name, limits), context);

t.test('loaded tools stay until there are too many', async (t) => {
  const context = load(EMPTY_CONTEXT, 'a', 'b', 'c', 'd', 'e', 'f');
  t.same(loadedNames(context).sort(), ['a', 'b', 'c', 'd', 'e', 'f']);
});

t.test('the tool loaded last is there, and often used ones outlive a scan of others', async (t) => {
  let context = load(EMPTY_CONTEXT, 'a', 'b', 'a', 'b', 'a', 'b');
  for (let i = 0; i < 30; i++) {
    context = load(context, `scan${i}`);
    t.ok(loadedNames(context).includes(`scan${i}`));
  }
  t.ok(loadedNames(context).includes('a'));
  t.ok(loadedNames(context).includes('b'));
});

t.test('old habits fade: counters are halved as time goes on', async (t) => {
  let context = load(EMPTY_CONTEXT, ...Array.from({ length: 12 }, () => 'old'));
  const before = context.uses['old']!;
  context = load(context, ...Array.from({ length: 130 }, (_, i) => `n${i % 3}`));
  t.ok((context.uses['old'] ?? 0) < before / 2);
});

t.test('pinned tools never leave by themselves, and take room from the others', async (t) => {
  let context: ToolContext = EMPTY_CONTEXT;
  for (const name of ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8']) context = pin(context, name, limits)!;
  context = load(context, ...Array.from({ length: 50 }, (_, i) => `t${i}`));
  t.same(context.pinned.length, 8);
  t.equal(loadedNames(context).length, 10);
  context = pin(pin(context, 'p9', limits)!, 'p10', limits)!;
  t.same(loadedNames(context), context.pinned);
  t.equal(pin(context, 'p11', limits), undefined);
  t.ok(loadedNames(unpin(context, 'p1', limits)).includes('p1'));
});

t.test('unload takes a tool out wherever it is; use of an unloaded one only counts', async (t) => {
  const context = pin(load(EMPTY_CONTEXT, 'a', 'b', 'b'), 'c', limits)!;
  for (const name of ['a', 'b', 'c']) t.notOk(loadedNames(remove(context, name)).includes(name));
  t.same(loadedNames(use(EMPTY_CONTEXT, 'x', limits)), []);
});

const command = fc.record({
  op: fc.constantFrom('load', 'use', 'unload', 'pin', 'unpin'),
  name: fc.constantFrom(...'abcdefghijklmnop'.split('')),
});

t.test('whatever is done, limits hold, nothing is there twice, and the file reads back', async () => {
  const anyLimits = fc.record({
    max_loaded_tools: fc.integer({ min: 1, max: 12 }),
    cache_capacity: fc.integer({ min: 1, max: 12 }),
    window_percent: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(anyLimits, anyLimits, fc.array(command, { maxLength: 60 }), (some, later, commands) => {
      let context: ToolContext = EMPTY_CONTEXT;
      for (const { op, name } of commands) {
        const pinnedBefore = context.pinned;
        if (op === 'load') context = touch(context, name, some);
        if (op === 'use') context = use(context, name, some);
        if (op === 'unload') context = remove(context, name);
        if (op === 'pin') context = pin(context, name, some) ?? context;
        if (op === 'unpin') context = unpin(context, name, some);
        const names = loadedNames(context);
        if (new Set(names).size !== names.length || names.length > some.max_loaded_tools) return false;
        if (names.length - context.pinned.length > some.cache_capacity) return false;
        if (op === 'load' && some.max_loaded_tools > context.pinned.length && !names.includes(name))
          return false;
        if (!['unload', 'unpin'].includes(op) && !pinnedBefore.every((one) => context.pinned.includes(one)))
          return false;
      }
      const smaller = resize(context, later);
      if (loadedNames(smaller).length - smaller.pinned.length > later.cache_capacity) return false;
      return isDeepStrictEqual(parseToolContext(formatToolContext(context)), context);
    }),
    { numRuns: 500 },
  );
});

t.test('limits are read strictly', async (t) => {
  t.same(parseLimits(''), DEFAULT_LIMITS);
  t.match(parseLimits('# c\nmax_loaded_tools=3\n'), { max_loaded_tools: 3, cache_capacity: 32 });
  for (const bad of [
    'max_loaded_tools=0',
    'x=1',
    'cache_capacity=1\ncache_capacity=2',
    'window_percent=101',
    'window_percent=-1',
    'window_percent',
    '__proto__=1',
  ])
    t.throws(() => parseLimits(`${bad}\n`), { code: 'EINVAL' });
});
