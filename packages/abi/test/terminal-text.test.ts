import fc from 'fast-check';
import t from 'tap';
import { ControlStripper, oneLine, stripControls } from '../src/terminal-text.ts';
import { hostileText } from './arbitrary.ts';
import { holds } from './property.ts';

t.test('plain text stays, with its line breaks, tabs and every script', async (t) => {
  for (const text of ['', 'a\n\tb', 'Grüße, 世界, שלום, مرحبا', '👩‍👩‍👧 𝒳', '\u00a0\u2028\ufffd'])
    t.equal(stripControls(text), text);
});

t.test('C0 and C1 controls and DEL go', async (t) => {
  for (let code = 0; code < 0xa0; code++) {
    if (code >= 0x20 && code < 0x7f) continue;
    const kept = code === 9 || code === 10;
    const char = String.fromCharCode(code);
    t.equal(stripControls(`a${char}`), kept ? `a${char}` : 'a', `U+${code.toString(16)}`);
  }
});

t.test('carriage returns cannot overwrite a line', async (t) => {
  t.equal(stripControls('one\r\ntwo\rTHREE'), 'one\ntwoTHREE');
});

t.test('sequences go as a whole, in their 7-bit and 8-bit forms', async (t) => {
  const cases: [string, string][] = [
    ['colour', 'a\x1b[1;31mb'],
    ['8-bit CSI', 'a\x9b31mb'],
    ['private mode', 'a\x1b[?1049hb'],
    ['CSI with intermediates', 'a\x1b[4 qb'],
    ['window operation', 'a\x1b[21tb'],
    ['keyboard protocol', 'a\x1b[>1ub'],
    ['clipboard, BEL', 'a\x1b]52;c;ZXZpbA==\x07b'],
    ['clipboard, ST', 'a\x1b]52;c;ZXZpbA==\x1b\\b'],
    ['clipboard, 8-bit', 'a\x9d52;c;ZXZpbA==\x9cb'],
    ['title', 'a\x1b]0;evil\x07b'],
    ['DCS', 'a\x1bP$q"p\x1b\\b'],
    ['DCS, 8-bit', 'a\x90$q"p\x9cb'],
    ['APC', 'a\x1b_payload\x1b\\b'],
    ['APC, 8-bit', 'a\x9fpayload\x9cb'],
    ['PM', 'a\x1b^payload\x1b\\b'],
    ['PM, 8-bit', 'a\x9epayload\x9cb'],
    ['SOS', 'a\x1bXpayload\x1b\\b'],
    ['SOS, 8-bit', 'a\x98payload\x9cb'],
    ['BEL does not end a DCS early', 'a\x1bPpay\x1b\\b'],
    ['full reset', 'a\x1bcb'],
    ['character set', 'a\x1b(0b'],
    ['alignment test', 'a\x1b#8b'],
    ['save and restore', 'a\x1b7\x1b8b'],
    ['sequence inside a sequence', 'a\x1b]0;x\x1b[31mb'],
    ['two escapes', 'a\x1b\x1b[31mb'],
    ['control inside CSI', 'a\x1b[3\x081mb'],
    ['cancelled CSI', 'a\x1b[31\x18b'],
    ['cancelled OSC', 'a\x1b]52;c;x\x1ab'],
  ];
  for (const [name, text] of cases) t.equal(stripControls(text), 'ab', name);
});

t.test('an unterminated sequence takes no later line with it', async (t) => {
  t.equal(stripControls('a\x1b]52;c;never ended\nsafe'), 'a\nsafe');
  t.equal(stripControls('a\x1b[31\nsafe'), 'a\nsafe');
  t.equal(stripControls('a\x1bP'), 'a');
  t.equal(stripControls('a\x1b'), 'a');
  t.equal(stripControls('a\x9b'), 'a');
});

t.test('a character that cannot belong to a sequence ends it and is shown', async (t) => {
  t.equal(stripControls('a\x1b[31é'), 'aé');
  t.equal(stripControls('a\x1b(é'), 'aé');
  t.equal(stripControls('a\x1bé'), 'aé');
});

t.test('bidirectional overrides go, marks that a script needs stay', async (t) => {
  t.equal(stripControls('\u202aa\u202bb\u202cc\u202dd\u202ee\u2066f\u2067g\u2068h\u2069'), 'abcdefgh');
  t.equal(stripControls('\u200e\u200f\u061c'), '\u200e\u200f\u061c');
  t.equal(stripControls('a\x1b\u202eb'), 'ab');
});

t.test('lone surrogates become U+FFFD', async (t) => {
  t.equal(stripControls('a\ud800b\udc00c'), 'a\ufffdb\ufffdc');
  t.equal(stripControls('a\ud83d'), 'a\ufffd');
});

t.test('an endless sequence is swallowed in constant memory', async (t) => {
  const stripper = new ControlStripper();
  stripper.push('\x1b]52;c;');
  const piece = 'QUJD'.repeat(16_384);
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 200; i++) t.equal(stripper.push(piece) === '', true);
  t.ok(process.memoryUsage().heapUsed - before < 64 * 1024 * 1024);
  t.equal(stripper.push('\x07ok'), 'ok');
});

t.test('one line has no line break of any kind', async (t) => {
  t.equal(oneLine(' a\r\n\tb\u2028c\x1b[31m '), 'a b c');
});

t.test('the end forgets an unfinished sequence', async (t) => {
  const stripper = new ControlStripper();
  t.equal(stripper.push('a\x1b]0;title'), 'a');
  t.equal(stripper.end(), '');
  t.equal(stripper.push('b'), 'b');
});

t.test('property: nothing shown can act on a terminal, and stripping twice changes nothing', async (t) => {
  holds(
    t,
    fc.property(hostileText, (text) => {
      const shown = stripControls(text);
      const active = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(shown);
      return (
        !active &&
        !/[\ud800-\udfff]/u.test(shown) &&
        stripControls(shown) === shown &&
        shown.length <= text.length
      );
    }),
    2000,
  );
});

t.test('property: text in pieces gives what it gives as a whole', async (t) => {
  holds(
    t,
    fc.property(fc.array(hostileText, { maxLength: 8 }), (pieces) => {
      const stripper = new ControlStripper();
      const streamed = pieces.map((piece) => stripper.push(piece)).join('') + stripper.end();
      return streamed === stripControls(pieces.join(''));
    }),
    1000,
  );
});

t.test('property: text without controls is untouched', async (t) => {
  holds(
    t,
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (text) => /[\0-\x1f\x7f-\x9f]/.test(text) || stripControls(text) === text,
    ),
  );
});
