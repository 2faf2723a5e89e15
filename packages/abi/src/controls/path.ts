import { quoted } from '../quote.ts';
import { parseAbsolutePath } from './absolute-path.ts';
import { atLine, type Codec, control, invalid } from './codec.ts';
import { formatLines, itemLines } from './lines.ts';

/** `agent/NAME.d/path`: the directories of CTX_PATH, one a line, first wins (docs/controls.md). */
export const path: Codec<readonly string[]> = control({
  parse: (text) => itemLines(text).map((line) => atLine(line.number, () => parseDirectory(line.text))),
  format: formatLines,
});

function parseDirectory(text: string): string {
  if (text.includes(':')) throw invalid(`directory must have no ":", got ${quoted(text)}`);
  return parseAbsolutePath(text, 'directory');
}
