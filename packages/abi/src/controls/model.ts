import { type ModelId, type ObjectName, parseModelReference } from '../names.ts';
import { type Codec, control } from './codec.ts';
import { oneLine } from './lines.ts';

/**
 * `agent/NAME.d/model`: `provider/model`, or an alias such as `main` (docs/controls.md). An alias is a symbolic
 * link in a model directory; what it resolves to is the model's identity.
 */
export const model: Codec<ModelId | ObjectName> = control({
  parse: (text) => parseModelReference(oneLine(text)),
  format: (reference) => `${reference}\n`,
});
