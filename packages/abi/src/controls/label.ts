import { formatLabel, type Label, parseLabel } from '../label.ts';
import { type Codec, control } from './codec.ts';
import { oneLine } from './lines.ts';

/** `agent/NAME.d/label`: the agent's security label (docs/controls.md, docs/policy.md). */
export const label: Codec<Label> = control({
  parse: (text) => parseLabel(oneLine(text)),
  format: (value) => `${formatLabel(value)}\n`,
});
