import fc from 'fast-check';
import t from 'tap';
import { Turns } from '../../../src/serve/capability/turns.ts';

const never = new AbortController().signal;

t.test('never more at a time than allowed, all in order, whatever fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.boolean(), { maxLength: 20 }),
      async (n, fates) => {
        const turns = new Turns(n);
        const begun: number[] = [];
        let now = 0;
        let most = 0;
        const work = fates.map((fails, index) =>
          turns.run(never, async () => {
            begun.push(index);
            most = Math.max(most, ++now);
            await new Promise(setImmediate);
            now--;
            if (fails) throw new Error('failed');
          }),
        );
        const outcomes = await Promise.allSettled(work);
        return (
          most <= n &&
          begun.every((index, place) => index === place) &&
          outcomes.every(({ status }, index) => (status === 'rejected') === fates[index])
        );
      },
    ),
  );
});

t.test('who leaves while waiting takes no turn', async (t) => {
  const turns = new Turns(1);
  let finish = () => {};
  const running = turns.run(never, () => new Promise<void>((resolve) => (finish = resolve)));
  const leaver = new AbortController();
  const left = turns.run(leaver.signal, async () => t.fail('it left'));
  const last = turns.run(never, async () => 'last');
  leaver.abort();
  await t.rejects(left, { name: 'AbortError' });
  finish();
  await running;
  t.equal(await last, 'last');
  await t.rejects(
    turns.run(leaver.signal, async () => t.fail('it left')),
    { name: 'AbortError' },
  );
  t.equal(await turns.run(never, async () => 'next'), 'next');
});
