/** `replay`: nothing may make the terminal answer. `watch`: nothing but text, colours and cursor movement. */
export type FilterPurpose = 'replay' | 'watch';

/** Whether one whole character or control sequence is kept from a human's terminal. */
export function forbidden(sequence: Buffer, purpose: FilterPurpose): boolean {
  const { introducer, body } = taken(sequence);
  switch (introducer) {
    case 'text':
      // Over-long or otherwise invalid UTF-8 could be read as a control character by a careless decoder.
      return !Buffer.from(body).equals(sequence);
    case '[':
      return forbiddenCsi(body, purpose);
    case ']':
      return purpose === 'watch' || body.includes('?');
    case 'P':
      return purpose === 'watch' || /^[$+]q/.test(body);
    case 'X':
    case '^':
    case '_':
      return true;
    default:
      return forbiddenEscape(introducer + body, purpose);
  }
}

/** Splits into the introducer (`[` for CSI, `]` for OSC, …) and what follows; control characters inside are ignored. */
function taken(sequence: Buffer): { introducer: string; body: string } {
  const text = sequence.toString('utf8');
  const code = text.codePointAt(0)!;
  const isC1 = code >= 0x80 && code <= 0x9f;
  if (code !== 0x1b && !isC1) return { introducer: 'text', body: text };
  const bare = (isC1 ? String.fromCharCode(code - 0x40) + text.slice(1) : text.slice(1)).replace(
    /[\x00-\x1f\x7f]/g,
    '',
  );
  return { introducer: bare[0] ?? '', body: bare.slice(1) };
}

/** Prefix (`?`, `>`, `=`, `<`), intermediates and final byte decide what a CSI sequence does. */
function forbiddenCsi(body: string, purpose: FilterPurpose): boolean {
  const match = /^([<=>?]*)([0-9:;]*)([ -/]*)([@-~])$/.exec(body);
  if (!match) return true;
  const [, prefix = '', parameters = '', intermediates = '', final = ''] = match;
  const kind = prefix + intermediates + final;
  if (asking.has(kind) || final === 't') return true;
  if (purpose === 'replay') return false;
  if (prefix === '?' && (final === 'h' || final === 'l'))
    return !parameters.split(';').every((p) => passedModes.has(p));
  return !passedCsi.has(kind);
}

function forbiddenEscape(sequence: string, purpose: FilterPurpose): boolean {
  if (sequence === 'Z' || sequence.length === 0) return true;
  return purpose === 'watch' && !/^(?:[78DEHMNOc=>\\]|[()*+\-./][0-9A-Za-z%"]{1,2}|#[34568])$/.test(sequence);
}

/** DA, DSR, DECREQTPARM, DECRQM, XTVERSION, kitty keyboard and XTMODKEYS queries, checksums, graphics attributes. */
const asking = new Set('c >c =c n ?n x $p ?$p >q ?u ?m *y $w ?S $u &u #y |'.split(' '));

/** Cursor movement, erasing, editing, scrolling, attributes, margins, tabs, soft reset, cursor shape, plain modes. */
const passedCsi = new Set(
  '@ A B C D E F G H I J ?J K ?K L M P S T X Z ` a b d e f g h l m r s u !p'
    .split(' ')
    .concat(' q', ' @', ' A'),
);

/** Private modes: cursor keys, reverse video, origin, wrap, blink, cursor, alternate screen, synchronized output. */
const passedModes = new Set(['1', '5', '6', '7', '12', '25', '45', '47', '1047', '1048', '1049', '2026']);
