import { type ObjectName, parseObjectName } from '../../names.ts';
import { type Codec, control } from '../codec.ts';
import { oneLine } from '../lines.ts';

/** `tool/NAME.d/name`: the tool's own name once more (docs/controls.md). */
export const name: Codec<ObjectName> = control({
  parse: (text) => parseObjectName(oneLine(text)),
  format: (value) => `${value}\n`,
});
