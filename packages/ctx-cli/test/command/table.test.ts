import t from 'tap';
import { commands } from '../../src/command/table.ts';
import { overview, usageOf } from '../../src/command/usage.ts';

t.test('every command loads and can run', async (t) => {
  for (const spec of commands) {
    const module = await spec.load();
    t.type(module.run, 'function', spec.words);
  }
});

t.test('no two commands have the same words', async (t) => {
  t.equal(new Set(commands.map(({ words }) => words)).size, commands.length);
});

t.test('the overview names every command and the exit codes', async (t) => {
  const text = overview();
  for (const { words, summary } of commands)
    t.match(text, new RegExp(`^  ${words} +${summary.slice(0, 10)}`, 'm'), words);
  t.match(text, /69 service unavailable/);
});

t.test("a command's usage lists each option that has a help line", async (t) => {
  for (const spec of commands.filter(({ optionHelp }) => optionHelp)) {
    const text = usageOf(spec);
    for (const option of Object.keys(spec.optionHelp!))
      t.match(text, `--${option}`, `${spec.words} --${option}`);
    for (const option of Object.keys(spec.optionHelp!))
      t.ok(spec.options?.[option], `${spec.words} takes --${option}`);
  }
});
