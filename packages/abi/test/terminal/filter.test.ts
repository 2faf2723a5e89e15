import fc from 'fast-check';
import t from 'tap';
import { TerminalFilter } from '../../src/terminal/filter.ts';
import type { FilterPurpose } from '../../src/terminal/forbidden.ts';

function filtered(purpose: FilterPurpose, ...chunks: (string | Uint8Array)[]): string {
  const filter = new TerminalFilter(purpose);
  return Buffer.concat(chunks.map((chunk) => filter.push(Buffer.from(chunk as string)))).toString();
}

const queries = {
  'primary DA': '\x1b[c',
  'primary DA with 0': '\x1b[0c',
  'secondary DA': '\x1b[>c',
  'tertiary DA': '\x1b[=c',
  'DSR cursor': '\x1b[6n',
  'DSR private': '\x1b[?6n',
  'DSR as C1': '\u009b6n',
  DECID: '\x1bZ',
  'DECID as C1': '\u009a',
  ENQ: '\x05',
  DECRQM: '\x1b[?2026$p',
  'DECRQM ansi': '\x1b[4$p',
  DECRQSS: '\x1bP$qm\x1b\\',
  'DECRQSS as C1': '\u0090$qm\u009c',
  XTGETTCAP: '\x1bP+q544e\x1b\\',
  XTVERSION: '\x1b[>0q',
  'kitty keyboard query': '\x1b[?u',
  'modifyOtherKeys query': '\x1b[?4m',
  'window size report': '\x1b[14t',
  'title report': '\x1b[21t',
  'colour query': '\x1b]10;?\x07',
  'palette query': '\x1b]4;1;?\x1b\\',
  'clipboard query': '\x1b]52;c;?\x07',
  'kitty graphics': '\x1b_Gi=1,a=q;AAAA\x1b\\',
  DECREQTPARM: '\x1b[x',
  DECRQCRA: '\x1b[1;1;1;1;2;2*y',
};

for (const [name, query] of Object.entries(queries)) {
  for (const purpose of ['replay', 'watch'] as const) {
    t.test(`${name} is dropped for ${purpose}, and text beside it stays`, async (t) => {
      t.equal(filtered(purpose, `a${query}b`), 'ab');
      t.equal(
        filtered(purpose, ...Array.from(Buffer.from(`a${query}b`), (byte) => Uint8Array.of(byte))),
        'ab',
      );
    });
  }
}

const kept = [
  '\x1b[31mred\x1b[0m',
  '\x1b[2J\x1b[H',
  '\x1b[3;4H',
  'tab\there\r\n',
  '日本語 ✔ é',
  '\x1b7\x1b8',
  '\x1b(B',
  '\x1b[?25l',
  '\x1b[2 q',
  '\x1b[38;2;1;2;3m',
  '\x1b[?1049h',
  '\x07',
];
for (const text of kept) {
  t.test(`${JSON.stringify(text)} passes both filters`, async (t) => {
    t.equal(filtered('watch', text), text);
    t.equal(filtered('replay', text), text);
  });
}

const dropped = {
  clipboard: '\x1b]52;c;aGk=\x07',
  title: '\x1b]0;owned\x07',
  'title with ST': '\x1b]2;owned\x1b\\',
  'title as C1': '\u009d2;owned\u009c',
  'title stack': '\x1b[22;0t',
  'window move': '\x1b[3;0;0t',
  'kitty keyboard push': '\x1b[>1u',
  modifyOtherKeys: '\x1b[>4;2m',
  'bracketed paste': '\x1b[?2004h',
  'mouse reports': '\x1b[?1000;1006h',
  'device control string': '\x1bPq#0\x1b\\',
  'eight-bit replies': '\x1b G',
};
for (const [name, sequence] of Object.entries(dropped)) {
  t.test(`${name} does not reach a watcher's terminal`, async (t) => {
    t.equal(filtered('watch', `a${sequence}b`), 'ab');
  });
}

t.test('a harmless title passes a replay', async (t) => {
  t.equal(filtered('replay', '\x1b]2;vim\x07'), '\x1b]2;vim\x07');
});

t.test('an unterminated string of 100 MB costs constant memory and shows nothing', async (t) => {
  const filter = new TerminalFilter('watch');
  filter.push(Buffer.from('before\x1b]0;'));
  const piece = Buffer.alloc(1024 * 1024, 'x');
  let shown = 0;
  for (let i = 0; i < 100; i++) shown += filter.push(piece).length;
  t.equal(shown, 0);
  t.equal(filter.push(Buffer.from('\x07after')).toString(), 'after');
});

t.test('a string cut short by another sequence hides neither', async (t) => {
  t.equal(filtered('watch', 'a\x1b]0;x\x1b[31mred'), 'a\x1b[31mred');
  t.equal(filtered('watch', 'a\x1b]0;x\x1bcb'), 'a\x1bcb');
  t.equal(filtered('watch', 'a\x1b]0;x\x1b\x1b\\b'), 'ab');
  t.equal(filtered('watch', 'a\x1b[3\x1b[31mb'), 'a\x1b[31mb');
  t.equal(filtered('watch', 'a\x1b[3\x18b'), 'ab');
});

t.test('bytes that are no UTF-8 are dropped, also over-long controls', async (t) => {
  t.equal(filtered('watch', Buffer.from([0x61, 0x9b, 0x33, 0x31, 0x6d])), 'a31m');
  t.equal(filtered('watch', Buffer.from([0x61, 0xe0, 0x82, 0x9b, 0x62])), 'ab');
  t.equal(filtered('watch', Buffer.from([0x61, 0xe2, 0x9c, 0x62])), 'ab');
});

t.test('cutting the stream anywhere changes nothing', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...Object.values(queries),
      ...kept,
      ...Object.values(dropped),
      '\x1b',
      '\x1b[',
      '\x1b]',
      '\x18',
      '\u009c',
    ),
    fc.string({ unit: 'binary' }),
  );
  const cuts = fc.array(fc.nat(), { maxLength: 5 });
  fc.assert(
    fc.property(
      fc.array(piece),
      cuts,
      fc.constantFrom<FilterPurpose>('watch', 'replay'),
      (pieces, at, purpose) => {
        const whole = Buffer.from(pieces.join(''));
        const points = [0, ...at.map((n) => n % (whole.length + 1)).sort((a, b) => a - b), whole.length];
        const parts = points.slice(1).map((end, i) => whole.subarray(points[i], end));
        return filtered(purpose, whole) === filtered(purpose, ...parts);
      },
    ),
    { numRuns: 500 },
  );
});

t.test('what a filter lets pass, it lets pass again', async () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom<FilterPurpose>('watch', 'replay'),
      (bytes, purpose) => {
        const once = filtered(purpose, bytes);
        return filtered(purpose, once) === once;
      },
    ),
    { numRuns: 1000 },
  );
});
