import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import t from 'tap';
import { bareWordOf, type InputSchema, toolModule, usageOf } from '../../build/module.ts';
import type { InputCheck } from '../../tool.ts';

const tools = join(import.meta.dirname, '../..');
const names = readdirSync(tools).filter((name) => readdirSafe(join(tools, name)).includes('schema'));

function readdirSafe(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function schemaOf(name: string): InputSchema {
  return JSON.parse(readFileSync(join(tools, name, 'schema'), 'utf8'));
}

t.test('the compiled check of every tool agrees with its schema file', async (t) => {
  for (const name of names) {
    const schema = schemaOf(name);
    const plain = new Ajv2020().compile(schema);
    const compiled: { validate: InputCheck } = await import(`../../generated/${name}.js`);
    const value = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.integer({ min: -2, max: 1001 }),
      fc.boolean(),
      fc.double(),
      fc.constantFrom('create', 'replace', null),
      fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }),
    );
    const keys = fc.constantFrom(...Object.keys(schema.properties), 'other', '__proto__');
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(keys, value, { maxKeys: 4 }), fc.jsonValue()), (input) => {
        return compiled.validate(input) === plain(input);
      }),
      { numRuns: 500 },
    );
    t.pass(name);
  }
});

t.test(
  'every tool has its controls, its folder name is its name and its policy is about itself',
  async (t) => {
    t.ok(names.length >= 4);
    for (const name of names) {
      const control = (file: string) => readFileSync(join(tools, name, file), 'utf8');
      t.equal(control('name'), `${name}\n`);
      t.match(control('description'), /^[A-Z][^\n]+\.\n$/);
      t.match(control('cap'), /^([a-z]+\n)+$/);
      for (const rule of control('policy').trimEnd().split('\n')) {
        t.match(
          rule,
          new RegExp(`^allow (architect|coder|reviewer)_t tool:${name.replaceAll('.', '\\.')} execute$`),
        );
      }
    }
  },
);

t.test('a bare word stands for the only required string', async (t) => {
  t.equal(bareWordOf(schemaOf('fs.read')), 'path');
  t.equal(bareWordOf(schemaOf('tsh')), null);
  const two = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    additionalProperties: false,
  } as const;
  t.equal(bareWordOf({ ...two, required: ['a', 'b'] }), null);
  t.equal(bareWordOf(two), null);
});

t.test('usage is the description and a line a property', async (t) => {
  const usage = usageOf('Does it.', schemaOf('fs.read'));
  t.match(usage, /^Does it\.\nInput: /);
  t.match(usage, /\n {2}path {5}string: The file\n/);
  t.match(usage, /\n {2}offset\? {2}integer: /);
});

t.test('a schema that needs run-time code of ajv is refused at build', async (t) => {
  const schema = {
    type: 'object',
    properties: { list: { type: 'array', uniqueItems: true, items: { type: 'object' } } },
    additionalProperties: false,
  } as unknown as InputSchema;
  t.throws(() => toolModule('X.', schema), /run-time module/);
});
