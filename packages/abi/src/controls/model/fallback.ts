import { formatModelName, type ModelId, parseModelName } from '../../names.ts';
import { atLine, type Codec, control } from '../codec.ts';
import { formatLines, itemLines } from '../lines.ts';

/** `model/P/M.d/fallback`: models to try instead, `provider/model` a line, in order (docs/controls.md). */
export const fallback: Codec<readonly ModelId[]> = control({
  parse: (text) =>
    itemLines(text).map(({ number, text: name }) =>
      atLine(number, () => formatModelName(parseModelName(name))),
    ),
  format: formatLines,
});
