import { type Codec, control } from './codec.ts';
import { oneLine } from './lines.ts';
import { parseDecimal } from './number.ts';

/** Linux hands out no process id above 2^22. */
const MAX_PID = 4_194_304;

/** `agent/NAME.d/pid`: the socket host's process id; empty when it does not run (docs/controls.md). */
export const pid: Codec<number | null> = control({
  parse: (text) => (text === '' ? null : parseDecimal(oneLine(text), 'pid', { min: 1, max: MAX_PID })),
  format: (value) => (value === null ? '' : `${value}\n`),
});
