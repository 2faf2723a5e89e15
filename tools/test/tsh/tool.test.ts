import t from 'tap';
import { tool } from '../../tsh/tool.ts';

t.test('words are the input, as they are', async (t) => {
  t.same(tool.fromWords(['find', 'two words', '--x']), { args: ['find', 'two words', '--x'] });
  t.ok(tool.check(tool.fromWords(['tools'])));
  t.notOk(tool.check(tool.fromWords([])));
  t.notOk(tool.check({ args: Array(257).fill('x') }));
});
