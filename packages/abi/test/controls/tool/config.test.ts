import fc from 'fast-check';
import t from 'tap';
import { config } from '../../../src/controls/tool/config.ts';
import { CortexError } from '../../../src/errors.ts';

t.test('what is set, and nothing else', async (t) => {
  t.same(config.parse(''), {});
  t.same(config.parse('# a\n\nwindow_percent=0\nmax_loaded_tools=1024'), {
    window_percent: 0,
    max_loaded_tools: 1024,
  });
  const wrong: [string, number, RegExp][] = [
    ['max_loaded_tools=0', 1, /from 1 to 1024/],
    ['\ncache_capacity=1025', 2, /from 1 to 1024/],
    ['window_percent=101', 1, /from 0 to 100/],
    ['window_percent=1\nwindow_percent=1', 2, /second time/],
    ['window_percent = 1', 1, /expected one of max_loaded_tools cache_capacity window_percent/],
    ['toString=1', 1, /expected one of/],
    ['window_percent=-1', 1, /expected/],
  ];
  for (const [text, line, message] of wrong)
    t.throws(() => config.parse(text), { code: 'EINVAL', line, message }, JSON.stringify(text));
});

t.test('what is written is read as the same; no text makes it throw anything else', async () => {
  const limit = fc.integer({ min: 1, max: 100 });
  const limits = fc.record(
    { max_loaded_tools: limit, cache_capacity: limit, window_percent: limit },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(limits, (value) => {
      const read = config.parse(config.format(value));
      return (
        Object.keys(read).length === Object.keys(value).length && config.format(read) === config.format(value)
      );
    }),
  );
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom('window_percent=1', '# x', '\n', 'cache_capacity=99999'),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      try {
        config.parse(lines.join('\n'));
        return true;
      } catch (error) {
        return error instanceof CortexError;
      }
    }),
  );
});
