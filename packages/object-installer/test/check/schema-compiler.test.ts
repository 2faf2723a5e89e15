import type { JsonObject } from '@cortexfs/abi/json';
import t from 'tap';
import { schemaCompiler } from '../../src/check/schema-compiler.ts';

const compile = await schemaCompiler();

t.test('schemas of draft 2020-12', async (t) => {
  const good: JsonObject[] = [
    {},
    { type: 'object' },
    { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', additionalProperties: false },
    {
      $id: 'https://example.net/a',
      $defs: { a: { type: 'string' } },
      properties: { x: { $ref: '#/$defs/a' } },
    },
    { prefixItems: [{ type: 'string' }], unevaluatedItems: false },
    { dependentRequired: { a: ['b'] } },
    { properties: { at: { type: 'string', format: 'date-time' }, u: { format: 'of-our-own' } } },
    { 'x-note': 'an annotation', examples: [{}] },
  ];
  for (const schema of good) t.doesNotThrow(() => compile(schema), JSON.stringify(schema));
});

t.test('one schema after another with the same $id', async (t) => {
  const schema = { $id: 'https://example.net/same', type: 'object' };
  t.doesNotThrow(() => compile(schema));
  t.doesNotThrow(() => compile({ ...schema }));
});

t.test('what does not compile', async (t) => {
  const bad: JsonObject[] = [
    { type: 'objekt' },
    { type: 1 },
    { properties: [] },
    { required: 'path' },
    { minLength: -1 },
    { pattern: '(' },
    { $ref: '#/$defs/missing' },
    { $ref: 'https://example.net/elsewhere' },
    { $schema: 'http://json-schema.org/draft-07/schema#' },
    { properties: { x: { type: ['string', 'strin'] } } },
  ];
  for (const schema of bad) t.throws(() => compile(schema), JSON.stringify(schema));
});
