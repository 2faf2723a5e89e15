import { type ObjectName, parseObjectName } from '../names.ts';
import { atLine, type Codec, control, invalid } from './codec.ts';
import { formatLines, itemLines, requireFinalNewline } from './lines.ts';

/** Every agent calls it directly without declaring it, so that it may not stand in the list. */
const RESERVED = 'tsh';

/** `agent/NAME.d/tools`: tools the model may call directly, one a line, canonical text only (docs/controls.md). */
export const tools: Codec<readonly ObjectName[]> = control({
  parse(text) {
    if (text !== '') requireFinalNewline(text);
    return itemLines(text).map(({ number, text: name }) => atLine(number, () => parseDeclared(name)));
  },
  format: formatLines,
});

function parseDeclared(text: string): ObjectName {
  if (text === RESERVED) throw invalid('tsh is always callable and may not be declared');
  return parseObjectName(text);
}
