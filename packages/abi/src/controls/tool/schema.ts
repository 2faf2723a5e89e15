import { jsonObject } from '../json.ts';

/** `tool/NAME.d/schema`: JSON Schema (draft 2020-12) of the tool's input (docs/controls.md). */
export const schema = jsonObject;
