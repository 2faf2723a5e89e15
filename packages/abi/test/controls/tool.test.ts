import t from 'tap';
import { cap } from '../../src/controls/tool/cap.ts';
import { description } from '../../src/controls/tool/description.ts';
import { invokeStrategy } from '../../src/controls/tool/invoke-strategy.ts';
import { mcp } from '../../src/controls/tool/mcp.ts';
import { name } from '../../src/controls/tool/name.ts';
import { schema } from '../../src/controls/tool/schema.ts';
import { parseObjectName } from '../../src/names.ts';
import { canonical, refused } from './expectations.ts';

t.test('name and invoke.strategy: one name', async (t) => {
  for (const codec of [name, invokeStrategy]) {
    canonical(t, codec, [['fs.read\n', parseObjectName('fs.read')]]);
    t.equal(codec.parse('default'), 'default');
    refused(t, codec, [
      ['', 'is empty'],
      ['a b\n', 'not a valid object name'],
      ['a/b\n', 'not a valid object name'],
      ['a\nb\n', 'one line'],
    ]);
  }
});

t.test('description: text that is not blank', async (t) => {
  canonical(t, description, [
    ['Echo text.\n', 'Echo text.'],
    ['First.\n\n\tThen.\n', 'First.\n\n\tThen.'],
  ]);
  t.equal(description.parse('Echo text.'), 'Echo text.');
  refused(t, description, [
    ['', 'is blank'],
    ['\n', 'is blank'],
    [' \t\n \n', 'is blank'],
    ['a\x1b[0m\n', 'control character', 1],
  ]);
});

t.test('cap: words, one a line', async (t) => {
  canonical(t, cap, [
    ['', []],
    ['text\nread\n', ['text', 'read']],
  ]);
  t.same(cap.parse('text'), ['text']);
  refused(t, cap, [
    ['text\nRead\n', 'must be a word', 2],
    ['text read\n', 'must be a word', 1],
    ['text\ntext\n', 'repeats "text"', 2],
    ['\n', 'is blank', 1],
    ['9\n', 'must be a word', 1],
  ]);
});

t.test('schema and mcp: a JSON object', async (t) => {
  t.same(schema.parse('{"type":"object"}'), { type: 'object' });
  t.same(mcp.parse('{"server":"x"}\n'), { server: 'x' });
  refused(t, schema, [
    ['true', 'expected a JSON object, not a boolean'],
    ['{', 'expected a key'],
  ]);
});
