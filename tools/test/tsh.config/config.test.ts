import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { type ConfigInput, tool } from '../../tsh.config/tool.ts';
import { call, scratch } from '../scratch.ts';

/** A root of the test's own, with what tsh's config control holds there. */
function root(t: Test, text?: string) {
  const folder = scratch(t);
  mkdirSync(`${folder}/tool/tsh.d`, { recursive: true });
  const file = `${folder}/tool/tsh.d/config`;
  if (text !== undefined) writeFileSync(file, text);
  const before = process.env['CTX_ROOT'];
  process.env['CTX_ROOT'] = folder;
  t.teardown(() => {
    if (before === undefined) delete process.env['CTX_ROOT'];
    else process.env['CTX_ROOT'] = before;
  });
  const ask = async (input: ConfigInput) => JSON.parse((await call(tool, input)).join(''));
  return { file, ask, text: () => readFileSync(file, 'utf8') };
}

const DEFAULTS = { max_loaded_tools: 64, cache_capacity: 32, window_percent: 1 };

t.test('it shows the limits and changes nothing', async (t) => {
  const { ask, file } = root(t);
  t.same(await ask({}), DEFAULTS);
  t.notOk(existsSync(file));
});

t.test('it changes what is named and leaves the rest', async (t) => {
  const { ask, text } = root(t, '# mine\ncache_capacity=8\n');
  t.same(await ask({}), { ...DEFAULTS, cache_capacity: 8 });
  t.same(await ask({ max_loaded_tools: 10, window_percent: 0 }), {
    max_loaded_tools: 10,
    cache_capacity: 8,
    window_percent: 0,
  });
  t.equal(text(), 'max_loaded_tools=10\ncache_capacity=8\nwindow_percent=0\n');
  t.same(await ask({ reset: true, window_percent: 5 }), { ...DEFAULTS, window_percent: 5 });
  t.equal(text(), 'window_percent=5\n');
  t.same(await ask({ reset: true }), DEFAULTS);
  t.equal(text(), '');
});

t.test('a control that cannot be read is kept, and can be reset', async (t) => {
  const { ask, text } = root(t, 'cache_capacity=8\nnonsense\n');
  const refusal = { code: 'EINVAL', path: 'tool/tsh.d/config', line: 2, hint: /reset/ };
  await t.rejects(ask({}), refusal);
  await t.rejects(ask({ cache_capacity: 9 }), refusal);
  t.equal(text(), 'cache_capacity=8\nnonsense\n');
  t.same(await ask({ reset: true }), DEFAULTS);
});

t.test('what is out of range, or no limit at all, is no input', async (t) => {
  const wrong: unknown[] = [
    { max_loaded_tools: 0 },
    { max_loaded_tools: 1025 },
    { cache_capacity: 1.5 },
    { window_percent: -1 },
    { window_percent: '5' },
    { tools: 5 },
    { reset: 1 },
    [],
  ];
  for (const input of wrong) t.notOk(tool.check(input), JSON.stringify(input));
});

t.test('where it may not be written, it says who may', async (t) => {
  const { ask } = root(t);
  process.env['CTX_ROOT'] = '/proc/self';
  await t.rejects(ask({ window_percent: 2 }), {
    code: 'ENOENT',
    path: 'tool/tsh.d/config',
    hint: /owner of tool/,
  });
});
