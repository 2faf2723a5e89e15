import fc from 'fast-check';
import t from 'tap';
import { joinWords, splitWords } from '../src/command-words.ts';
import { CortexError } from '../src/errors.ts';

t.test('words are separated by blanks and quoted as in sh', async (t) => {
  for (const [line, words] of [
    ['', []],
    [' \t ', []],
    ['a', ['a']],
    ['  fs.read   README.md ', ['fs.read', 'README.md']],
    [`'a b' "c d"`, ['a b', 'c d']],
    [`a'b c'"d"\\ e`, ['ab cd e']],
    [`'' ""`, ['', '']],
    [`'\\n"' "\\n' \\" \\\\"`, ['\\n"', `\\n' " \\`]],
    ['$HOME `x` * ~ # ; | > &', ['$HOME', '`x`', '*', '~', '#', ';', '|', '>', '&']],
    ['"{\\"path\\":\\"x\\"}"', ['{"path":"x"}']],
    ['中文 "😀 b"', ['中文', '😀 b']],
    ['\\😀', ['😀']],
  ] as const) {
    t.same(splitWords(line), words, line);
  }
});

t.test('a quote or backslash without an end is EINVAL and says where', async (t) => {
  t.throws(() => splitWords(`a 'b`), {
    code: 'EINVAL',
    message: 'the single quote at character 3 has no end',
  });
  t.throws(() => splitWords('"b\\"'), {
    code: 'EINVAL',
    message: 'the double quote at character 1 has no end',
  });
  t.throws(() => splitWords('ab\\'), { code: 'EINVAL', message: 'the backslash at character 3 has no end' });
});

t.test('joined words split into the same words', async () => {
  const word = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', "'", '"', '\\', ' ', '\n', "'\\''"),
  );
  fc.assert(
    fc.property(
      fc.array(word),
      (words) => JSON.stringify(splitWords(joinWords(words))) === JSON.stringify(words),
    ),
  );
});

t.test('random lines are words or a CortexError', async () => {
  const line = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '\\', '\n', '\ud800') }),
  );
  fc.assert(
    fc.property(line, (text) => {
      try {
        return Array.isArray(splitWords(text));
      } catch (error) {
        return error instanceof CortexError && error.code === 'EINVAL';
      }
    }),
  );
});

t.test('a megabyte of quotes and backslashes is read', async (t) => {
  const inside = `\\"\\\\x`.repeat(200_000);
  t.same(splitWords(`"${inside}"`), ['"\\x'.repeat(200_000)]);
  t.equal(splitWords(`${`'a'"b"`.repeat(100_000)}`)[0]?.length, 200_000);
});
