import { type JsonObject, parseJsonObject } from '../json.ts';
import { type Codec, control } from './codec.ts';

/** A control that holds one JSON object. Canonical is two blanks of indentation and a final newline. */
export const jsonObject: Codec<JsonObject> = control({
  parse: (text) => parseJsonObject(text),
  format: (value) => `${JSON.stringify(value, null, 2)}\n`,
});
