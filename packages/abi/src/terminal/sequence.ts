/**
 * Where in a terminal's output a byte falls: in plain text, inside one UTF-8 character, or inside one
 * control sequence (ECMA-48, 7-bit or as UTF-8 encoded C1). Numbers, because every byte of output is stepped.
 */
export const GROUND = 0;
const UTF8_LEFT_1 = 1;
const UTF8_LEFT_3 = 3;
/** After 0xC2, the lead byte of the C1 controls. */
export const UTF8_C2 = 4;
export const ESCAPE = 5;
const ESCAPE_INTERMEDIATE = 6;
export const CSI = 7;
export const OSC = 8;
export const OSC_ESCAPE = 9;
const OSC_C2 = 10;
/** DCS, SOS, PM or APC: strings that only ST ends. */
export const STRING = 11;
export const STRING_ESCAPE = 12;
const STRING_C2 = 13;

/** The state after one more byte. */
export function step(state: number, byte: number): number {
  if (state === GROUND) return fromGround(byte);
  if (state <= UTF8_C2) return insideCharacter(state, byte);
  if (state >= OSC) return insideString(state, byte);
  if (byte === 0x1b) return ESCAPE;
  if (byte === 0x18 || byte === 0x1a) return GROUND;
  if (byte >= 0x80) return fromGround(byte);
  if (byte < 0x20 || byte === 0x7f) return state;
  if (state === ESCAPE) return afterEscape(byte);
  if (state === CSI) return byte >= 0x40 ? GROUND : CSI;
  return byte >= 0x30 ? GROUND : ESCAPE_INTERMEDIATE;
}

function fromGround(byte: number): number {
  if (byte < 0x80) return byte === 0x1b ? ESCAPE : GROUND;
  if (byte === 0xc2) return UTF8_C2;
  if (byte < 0xc2 || byte > 0xf4) return GROUND;
  if (byte < 0xe0) return UTF8_LEFT_1;
  return byte < 0xf0 ? UTF8_LEFT_1 + 1 : UTF8_LEFT_3;
}

function insideCharacter(state: number, byte: number): number {
  if (byte < 0x80 || byte > 0xbf) return fromGround(byte);
  if (state !== UTF8_C2) return state - 1;
  return byte > 0x9f ? GROUND : afterC1(byte);
}

function afterC1(byte: number): number {
  if (byte === 0x9b) return CSI;
  if (byte === 0x9d) return OSC;
  return byte === 0x90 || byte === 0x98 || byte >= 0x9e ? STRING : GROUND;
}

function afterEscape(byte: number): number {
  if (byte < 0x30) return ESCAPE_INTERMEDIATE;
  if (byte === 0x5b) return CSI;
  if (byte === 0x5d) return OSC;
  return byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f ? STRING : GROUND;
}

function insideString(state: number, byte: number): number {
  const inOsc = state < STRING;
  const base = inOsc ? OSC : STRING;
  if ((state === OSC_ESCAPE || state === STRING_ESCAPE) && byte !== 0x1b)
    return byte === 0x5c ? GROUND : step(ESCAPE, byte);
  if (byte === 0x1b) return base + 1;
  if (byte === 0x18 || byte === 0x1a) return GROUND;
  if (inOsc && byte === 0x07) return GROUND;
  if (byte === 0x9c && (state === OSC_C2 || state === STRING_C2)) return GROUND;
  return byte === 0xc2 ? base + 2 : base;
}
