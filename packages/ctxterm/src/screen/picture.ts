import type { SerializeAddon } from '@xterm/addon-serialize';
import type { Terminal } from '@xterm/headless';
import { type HiddenState, hiddenState } from './internals.ts';

/** Undoes what an earlier screen may have left: margins, modes, attributes, title of nothing, contents. */
const CLEAN =
  '\x1b[!p\x1b[?9;1000;1002;1003;1004;1005;1006;1015;1016;2004l\x1b[?7h\x1b[?25h\x1b[0 q\x1b(B\x0f\x1b[r\x1b[0m\x1b[H\x1b[2J';

/**
 * Bytes that make any terminal of the same size show what `terminal` shows: contents with attributes, cursor, modes and
 * title. They hold nothing that makes a terminal answer. `scrollback` lines above the screen come first.
 */
export function picture(
  terminal: Terminal,
  serializer: SerializeAddon,
  title: string,
  scrollback: number,
): string {
  const hidden = hiddenState(terminal);
  const contents = serializer
    .serialize({ scrollback })
    // A viewer that has no second screen shows the alternate one on the same, emptied first.
    .replace('\x1b[?1049h\x1b[H', '\x1b[?1049h\x1b[H\x1b[2J');
  return CLEAN + titleSequence(title) + contents + margins(terminal, hidden) + modes(hidden);
}

function titleSequence(title: string): string {
  const safe = title.replace(/[\x00-\x1f\x7f-\x9f]/g, '').slice(0, 1024);
  return safe === '' ? '' : `\x1b]2;${safe}\x07`;
}

/** Setting margins homes the cursor, so it is put back afterwards. */
function margins(terminal: Terminal, { scrollTop, scrollBottom }: HiddenState): string {
  if (scrollTop === 0 && scrollBottom === terminal.rows - 1) return '';
  const { cursorX, cursorY } = terminal.buffer.active;
  const row = terminal.modes.originMode ? cursorY - scrollTop : cursorY;
  return `\x1b[${scrollTop + 1};${scrollBottom + 1}r\x1b[${row + 1};${cursorX + 1}H`;
}

function modes({ cursorHidden, mouseEncoding, cursorStyle, cursorBlink }: HiddenState): string {
  const encoding = { SGR: '\x1b[?1006h', SGR_PIXELS: '\x1b[?1016h' }[mouseEncoding] ?? '';
  return (cursorHidden ? '\x1b[?25l' : '') + encoding + cursorShape(cursorStyle, cursorBlink ?? true);
}

function cursorShape(style: string | undefined, blink: boolean): string {
  const steady = { block: 2, underline: 4, bar: 6 }[style ?? ''];
  return steady === undefined ? '' : `\x1b[${blink ? steady - 1 : steady} q`;
}
