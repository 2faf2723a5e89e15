import type { JsonObject } from '@cortexfs/abi/json';

export type SchemaCompiler = (schema: JsonObject) => void;

let loaded: Promise<SchemaCompiler> | undefined;

/**
 * A function that compiles a JSON Schema (draft 2020-12) and throws the reason when it cannot. Keywords and
 * formats it does not know are annotations, as the draft says.
 */
export function schemaCompiler(): Promise<SchemaCompiler> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<SchemaCompiler> {
  // Its names are visible to bundler and Node alike only on the CommonJS module itself.
  const { default: ajv2020 } = await import('ajv/dist/2020.js');
  // With addUsedSchema off, schemas of one $id do not meet.
  const ajv = new ajv2020.Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    addUsedSchema: false,
  });
  return (schema) => {
    try {
      ajv.compile(schema);
    } finally {
      ajv.removeSchema(schema);
    }
  };
}
