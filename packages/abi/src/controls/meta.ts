import { jsonObject } from './json.ts';

/** `agent/NAME.d/meta.json`: notes of people and the last cleanup receipt; decides nothing (docs/controls.md). */
export const meta = jsonObject;
