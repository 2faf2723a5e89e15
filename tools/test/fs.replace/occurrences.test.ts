import fc from 'fast-check';
import t from 'tap';
import { countOf, replaced } from '../../fs.replace/occurrences.ts';

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é') });
const part = letters.filter((text) => text !== '');

t.test('after replacing by something new, that occurs as often as the old did', async () => {
  fc.assert(
    fc.property(letters, part, (text, from) => {
      const changed = replaced(text, from, '#');
      return countOf(changed, '#') === countOf(text, from) && replaced(changed, '#', from) === text;
    }),
  );
});

t.test('overlaps count once, from the left; dollar signs are text', async (t) => {
  t.equal(countOf('aaaaa', 'aa'), 2);
  t.equal(replaced('aaaaa', 'aa', 'b'), 'bba');
  t.equal(replaced('x', 'x', '$&$1'), '$&$1');
});
