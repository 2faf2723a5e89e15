import { Transform } from 'node:stream';

/** What a terminal sends around pasted text, once bracketed paste is on. */
export const PASTE_ON = '\x1b[?2004h';
export const PASTE_OFF = '\x1b[?2004l';
const begin = '\x1b[200~';
const end = '\x1b[201~';

/** Stands for a line break of a pasted text while it is edited on one line. */
export const BREAK = '␊';

/** Puts the line breaks back that {@link pasteFilter} replaced. */
export function withLineBreaks(line: string): string {
  return line.replaceAll(BREAK, '\n');
}

/**
 * Passes typed bytes on; in a pasted text line breaks become a visible mark, so that the text is one input and not many.
 * Typed text is first offered to `take` as it came, and dropped when that takes it.
 */
export function pasteFilter(take: (typed: string) => boolean = () => false): Transform {
  let pasting = false;
  let held = '';
  return new Transform({
    decodeStrings: false,
    transform(chunk, _encoding, done) {
      let text = held + String(chunk);
      if (!pasting && !text.includes(begin) && partialMark(text) === '' && take(text)) {
        held = '';
        return done(null, '');
      }
      held = partialMark(text);
      text = text.slice(0, text.length - held.length);
      let out = '';
      while (text !== '') {
        const mark = pasting ? end : begin;
        const at = text.indexOf(mark);
        const piece = at === -1 ? text : text.slice(0, at);
        out += pasting ? piece.replace(/\r\n|\r|\n/g, BREAK) : piece;
        text = at === -1 ? '' : text.slice(at + mark.length);
        if (at !== -1) pasting = !pasting;
      }
      done(null, out);
    },
  });
}

/** The beginning of a paste mark at the end of a chunk. A lone ESC is a key and goes on at once. */
function partialMark(text: string): string {
  for (let length = Math.min(begin.length - 1, text.length); length > 1; length--) {
    const tail = text.slice(-length);
    if (begin.startsWith(tail) || end.startsWith(tail)) return tail;
  }
  return '';
}
