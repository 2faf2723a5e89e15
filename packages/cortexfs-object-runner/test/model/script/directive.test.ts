import { CortexError } from '@cortexfs/abi/errors';
import fc from 'fast-check';
import t from 'tap';
import { MAX_SLEEP_MS, parseScript } from '../../../src/model/script/directive.ts';

t.test('each directive is read, other lines are for people', async (t) => {
  const text = [
    'Please do this:',
    '!call fs.list {"path":"/workspace"}',
    '!call fs.stat',
    '  !say not at the beginning of the line',
    '!tsh find  "two words"',
    '!say Hello there ',
    '!sleep 20',
    '!fail EHOSTDOWN\r',
    '',
  ].join('\n');
  t.same(parseScript(text), [
    { kind: 'call', name: 'fs.list', arguments: { path: '/workspace' } },
    { kind: 'call', name: 'fs.stat', arguments: {} },
    { kind: 'call', name: 'tsh', arguments: { args: ['find', 'two words'] } },
    { kind: 'say', text: 'Hello there' },
    { kind: 'sleep', ms: 20 },
    { kind: 'fail', code: 'EHOSTDOWN' },
  ]);
});

t.test('text without directives is an empty script', async (t) => {
  t.same(parseScript('hello\nwhat can you do? !call'), []);
  t.same(parseScript(''), []);
});

t.test('a faulty line is EINVAL and named', async (t) => {
  for (const [line, why] of [
    ['!', 'unknown directive'],
    ['!cal fs.list', 'unknown directive'],
    ['!__proto__', 'unknown directive'],
    ['!call', 'not a valid object name'],
    ['!call ../x {}', 'not a valid object name'],
    ['!call fs.list {', 'invalid JSON'],
    ['!call fs.list []', 'expected a JSON object'],
    ['!call fs.list {"a":1,"a":2}', 'duplicate key'],
    [`!call fs.list {"a":${'['.repeat(1000)}`, 'nested deeper'],
    ['!call fs.list {"a":"\\ud800"}', 'lone surrogate'],
    ['!tsh', 'at least one word'],
    ['!tsh "open', 'has no end'],
    ['!sleep', 'milliseconds'],
    ['!sleep -1', 'milliseconds'],
    [`!sleep ${MAX_SLEEP_MS + 1}`, 'milliseconds'],
    ['!fail', 'errno name'],
    ['!fail eio', 'errno name'],
    ['!fail toString', 'errno name'],
  ] as const) {
    t.throws(
      () => parseScript(`\n${line}\n`),
      { code: 'EINVAL', message: new RegExp(`^script line 2: .*${why}`) },
      line,
    );
  }
});

t.test('random scripts parse or are refused with a CortexError', async () => {
  const line = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom('!call', '!tsh', '!say', '!sleep', '!fail', '!'), fc.string())
      .map(([word, rest]) => `${word} ${rest}`),
    fc.tuple(fc.constantFrom('a', 'fs.list', ''), fc.json()).map(([name, json]) => `!call ${name} ${json}`),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      try {
        return Array.isArray(parseScript(lines.join('\n')));
      } catch (err) {
        return err instanceof CortexError && err.code === 'EINVAL';
      }
    }),
  );
});

t.test('every call survives being written and read', async () => {
  const call = fc.record({
    name: fc.stringMatching(/^[a-z]{1,6}(\.[e-m]{1,5})?$/),
    input: fc.dictionary(fc.string(), fc.jsonValue()),
  });
  fc.assert(
    fc.property(fc.array(call), (calls) => {
      const text = calls.map(({ name, input }) => `!call ${name} ${JSON.stringify(input)}`).join('\n');
      // JSON.stringify writes a lone surrogate as an escape, and no input may hold one.
      fc.pre(!/\\ud[89a-f]/.test(text));
      const read = parseScript(text);
      return (
        JSON.stringify(read) ===
        JSON.stringify(
          calls.map(({ name, input }) => ({
            kind: 'call',
            name,
            arguments: JSON.parse(JSON.stringify(input)),
          })),
        )
      );
    }),
  );
});
