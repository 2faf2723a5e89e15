import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';

/** The part of JSON Schema (draft 2020-12) that built-in tool inputs use at their top level. */
export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

interface PropertySchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
}

/** The generated module of one tool: `validate` (ajv, compiled), `bareWord` and `usage`. */
export function toolModule(description: string, schema: InputSchema): { code: string; types: string } {
  const ajv = new Ajv2020({ strict: true, code: { source: true, esm: true, lines: true, optimize: 2 } });
  const validate = ajv.compile(schema);
  const code = [
    withoutRequire(standalone.default(ajv, validate)),
    `export const bareWord = ${JSON.stringify(bareWordOf(schema))};`,
    `export const usage = ${JSON.stringify(usageOf(description, schema))};`,
    '',
  ].join('\n');
  return { code, types: declarations };
}

/** ajv emits its one run-time dependency as a CommonJS call; the modules here are ES modules without dependencies. */
function withoutRequire(code: string): string {
  const inlined = code.replace(
    /require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g,
    '(text) => { let n = 0; for (const _ of text) n++; return n; }',
  );
  if (/\brequire\(/.test(inlined)) throw new Error('a compiled schema needs a run-time module of ajv');
  return inlined;
}

/** The name of the one required string, when there is exactly one required property and it is a string. */
export function bareWordOf(schema: InputSchema): string | null {
  const [only, ...others] = schema.required ?? [];
  if (only === undefined || others.length > 0) return null;
  return schema.properties[only]?.type === 'string' ? only : null;
}

/** Short usage: the description, then one line a property. */
export function usageOf(description: string, schema: InputSchema): string {
  const required = new Set(schema.required ?? []);
  const names = Object.keys(schema.properties);
  const width = Math.max(...names.map((name) => name.length)) + 1;
  const lines = names.map((name) => {
    const { type, enum: values, description: text } = schema.properties[name]!;
    const kind = type ?? values?.join(' or ') ?? 'any';
    return `  ${(required.has(name) ? name : `${name}?`).padEnd(width)}  ${kind}: ${text ?? ''}`;
  });
  return [description, 'Input: one JSON object, as argument or on standard input.', ...lines, ''].join('\n');
}

const declarations = `import type { InputCheck } from '../tool.ts';
export declare const validate: InputCheck;
export declare const bareWord: string | null;
export declare const usage: string;
`;
