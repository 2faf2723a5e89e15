import { atLine, type Codec, control } from './codec.ts';
import { formatLines, itemLines } from './lines.ts';
import { MAX_ID, parseDecimal } from './number.ts';

/** `agent/NAME.d/groups`: supplementary gids, one a line (docs/controls.md). */
export const groups: Codec<readonly number[]> = control({
  parse: (text) =>
    itemLines(text).map(({ number, text: gid }) =>
      atLine(number, () => parseDecimal(gid, 'gid', { max: MAX_ID })),
    ),
  format: formatLines,
});
