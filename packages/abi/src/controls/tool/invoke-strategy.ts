import { type ObjectName, parseObjectName } from '../../names.ts';
import { type Codec, control } from '../codec.ts';
import { oneLine } from '../lines.ts';

/** `tool/NAME.d/invoke.strategy`: how the tool is called, one name; `default` leaves it to the host (docs/controls.md). */
export const invokeStrategy: Codec<ObjectName> = control({
  parse: (text) => parseObjectName(oneLine(text)),
  format: (value) => `${value}\n`,
});
