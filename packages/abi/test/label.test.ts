import fc from 'fast-check';
import t from 'tap';
import { CortexError } from '../src/errors.ts';
import { formatLabel, parseLabel, subjectOf } from '../src/label.ts';
import { quoted } from '../src/quote.ts';

t.test('the subject is the third of four fields, or the one name', async (t) => {
  t.equal(subjectOf('user_u:agent_r:coder_t:s0'), 'coder_t');
  t.equal(subjectOf('a:b:c:d'), 'c');
  t.equal(subjectOf('coder'), 'coder');
  t.equal(formatLabel(parseLabel('user_u:agent_r:coder_t:s0')), 'user_u:agent_r:coder_t:s0');
});

t.test('anything else has no subject', async (t) => {
  for (const text of [
    '',
    ':',
    ':::',
    'a:b',
    'a:b:c',
    'a:b:c:d:e',
    'a:b::d',
    ':b:c:d',
    'a:b:c:',
    'a:b:*:d',
    'a:b:c d:e',
    ' coder',
    'coder ',
    'coder\n',
    'a:b:c.d:e',
    'a/b',
    '../x',
    'a:b:-c:d',
    `a:b:${'x'.repeat(65)}:d`,
  ]) {
    t.throws(() => parseLabel(text), { code: 'EINVAL', layer: 'label' }, JSON.stringify(text));
  }
});

t.test('any text is read as it is or refused', async () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', '_', ':', '.', ' ', '\n'), maxLength: 12 }),
      (text) => {
        try {
          return formatLabel(parseLabel(text)) === text;
        } catch (err) {
          return err instanceof CortexError;
        }
      },
    ),
  );
});

t.test('values in messages are quoted, escaped and cut', async (t) => {
  t.equal(quoted('a"b'), '"a\\"b"');
  t.equal(quoted('\x1b[2J\n'), '"\\u001b[2J\\n"');
  t.equal(quoted('\x7f\x9b\u2028'), '"\\u007f\\u009b\\u2028"');
  t.equal(quoted('x'.repeat(61)), `"${'x'.repeat(60)}…"`);
});
