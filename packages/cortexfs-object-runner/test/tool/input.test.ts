import { CortexError } from '@cortexfs/abi/errors';
import { loadTool } from '@cortexfs/tools/registry.ts';
import type { FrameTool } from '@cortexfs/tools/tool.ts';
import fc from 'fast-check';
import t from 'tap';
import { parseToolInput } from '../../src/tool/input.ts';

const read = (await loadTool('fs.read')) as FrameTool;
const tsh = (await loadTool('tsh')) as FrameTool;

t.test('JSON and the bare word give the same input', async (t) => {
  t.same(parseToolInput(read, '{"path":"a b"}'), { path: 'a b' });
  t.same(parseToolInput(read, 'a b'), { path: 'a b' });
  t.same(parseToolInput(read, 'a b\n'), { path: 'a b' });
  t.same(parseToolInput(read, ' \n{"path":"x","limit":3}\n'), { path: 'x', limit: 3 });
  t.same(parseToolInput(read, '-rf'), { path: '-rf' });
});

t.test('JSON whose quotes the shell took is told how to be typed', async (t) => {
  t.throws(() => parseToolInput(read, '{path:a}'), {
    code: 'EINVAL',
    hint: 'quote the JSON for the shell: \'{"NAME":"VALUE"}\'',
  });
  t.throws(() => parseToolInput(read, '{"path":}'), { code: 'EINVAL', hint: undefined });
});

t.test('what the schema refuses is EINVAL and says where', async (t) => {
  for (const [text, why] of [
    ['', 'it is empty'],
    ['\n', 'it is empty'],
    ['{}', 'the property "path" is missing'],
    ['{"path":1}', '"path" must be string'],
    ['{"path":"x","limit":0}', '"limit" must be >= 1'],
    ['{"path":"x","limit":1.5}', '"limit" must be integer'],
    ['{"path":"x","more":1}', 'the property "more" is unknown'],
    ['{"path":"x","__proto__":{}}', 'the property "__proto__" is unknown'],
    ['{"path":""}', '"path" must NOT have fewer than 1 characters'],
  ] as const) {
    t.throws(() => parseToolInput(read, text), { code: 'EINVAL', message: `invalid input: ${why}` }, text);
  }
  t.throws(() => parseToolInput(tsh, 'word'), { code: 'EINVAL', message: /expected a JSON object/ });
});

t.test('hostile JSON is EINVAL', async (t) => {
  for (const text of [
    '{"path":"a","path":"b"}',
    `{"path":${'['.repeat(100_000)}`,
    '{"path":"\\ud800"}',
    '{"path":"x"} {}',
    '{',
  ]) {
    t.throws(() => parseToolInput(read, text), { code: 'EINVAL' }, text.slice(0, 30));
  }
});

t.test('random input is a valid input or a CortexError', async () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((json) => `{"path":${json}}`),
      ),
      (text) => {
        try {
          return typeof (parseToolInput(read, text) as { path: string }).path === 'string';
        } catch (err) {
          return err instanceof CortexError;
        }
      },
    ),
  );
});
