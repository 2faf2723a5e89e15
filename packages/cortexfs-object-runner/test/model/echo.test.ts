import type { ModelMessage } from '@cortexfs/abi/model-io';
import fc from 'fast-check';
import t from 'tap';
import { model } from '../../src/model/echo.ts';
import { answer, final, streamed } from './answer.ts';

t.test('the last user message comes back, streamed and whole', async (t) => {
  const conversation: ModelMessage[] = [
    { role: 'user', content: 'first' },
    { role: 'assistant', content: 'x' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'sec' },
        { type: 'text', text: 'ond' },
      ],
    },
    { role: 'tool', content: 'r' },
  ];
  const events = await answer(model, ...conversation);
  t.equal(streamed(events), 'second');
  t.equal(final(events), 'second');
});

t.test('any text is echoed exactly, in at most 32 deltas', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 3000 }), async (content) => {
      const events = await answer(model, { role: 'user', content });
      return streamed(events) === content && final(events) === content && events.length <= 34;
    }),
  );
});

t.test('without a user message there is nothing to echo', async (t) => {
  await t.rejects(answer(model, { role: 'system', content: 's' }), { code: 'EINVAL' });
});
