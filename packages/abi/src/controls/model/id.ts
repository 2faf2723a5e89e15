import { type Codec, control } from '../codec.ts';
import { oneLine } from '../lines.ts';

/** `model/P/M.d/id`: the provider's own name of the model, any one line (docs/controls.md). */
export const id: Codec<string> = control({ parse: oneLine, format: (value) => `${value}\n` });
