/**
 * Text from a model, an agent or a file, made safe for a terminal: escape sequences go as a whole, control
 * characters and bidirectional overrides go alone, `\n` and `\t` stay, `\r\n` becomes `\n`, and a lone
 * surrogate becomes U+FFFD. The result is never longer than the text. See docs/sockets.md.
 */
export function stripControls(text: string): string {
  const stripper = new ControlStripper();
  return stripper.push(text) + stripper.end();
}

/** The same on one line, for error messages and listings: line breaks and tabs become spaces. */
export function oneLine(text: string): string {
  return stripControls(text)
    .replace(/[\n\t\u2028\u2029]+/g, ' ')
    .trim();
}

type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'string';

/**
 * `stripControls` for text that arrives in pieces: a sequence split over pieces is still removed as a whole.
 * Keeps one character at most.
 */
export class ControlStripper {
  #state: State = 'text';
  /** A high surrogate that waits for its other half. */
  #half = '';

  push(piece: string): string {
    if (this.#state === 'text' && this.#half === '' && harmless.test(piece)) return piece;
    const text = this.#half + piece;
    this.#half = '';
    let out = '';
    for (let at = 0; at < text.length; ) {
      const code = text.codePointAt(at)!;
      const char = String.fromCodePoint(code);
      if (isHighSurrogate(code) && at === text.length - 1) {
        this.#half = char;
        break;
      }
      at += char.length;
      if (this.#step(code)) out += isSurrogate(code) ? '\ufffd' : char;
    }
    return out;
  }

  /** Forgets an unfinished sequence, so that what follows starts as plain text. */
  end(): string {
    const shown = this.#half !== '' && this.#step(this.#half.charCodeAt(0)) ? '\ufffd' : '';
    this.#half = '';
    this.#state = 'text';
    return shown;
  }

  /** Moves on by one character and tells whether it is shown. */
  #step(code: number): boolean {
    // A line break ends every sequence, so that a stray introducer cannot swallow the rest of an answer.
    if (code === newline) this.#state = 'text';
    else if (code === cancel || code === substitute) this.#state = 'text';
    else if (code === escapeByte) this.#state = 'escape';
    else if (code >= 0x80 && code <= 0x9f) this.#state = stateAfterC1(code);
    else if (this.#state !== 'text') return this.#insideSequence(code);
    return isShown(code);
  }

  #insideSequence(code: number): boolean {
    if (this.#state === 'string') {
      if (code === bell) this.#state = 'text';
      return false;
    }
    if (code < 0x20 || code === 0x7f) return code === tab;
    if (this.#state === 'escape') return this.#afterEscape(code);
    // Parameters and intermediates go on, a final byte ends; anything else was no part of the sequence.
    const goesOn = this.#state === 'csi' ? code < 0x40 : code < 0x30;
    if (goesOn) return false;
    this.#state = 'text';
    return code > 0x7e && isShown(code);
  }

  #afterEscape(code: number): boolean {
    if (code < 0x30) this.#state = 'intermediate';
    else if (code === 0x5b) this.#state = 'csi';
    else if (stringIntroducers.has(code)) this.#state = 'string';
    else this.#state = 'text';
    return code > 0x7e && isShown(code);
  }
}

const newline = 0x0a;
const tab = 0x09;
const bell = 0x07;
const cancel = 0x18;
const substitute = 0x1a;
const escapeByte = 0x1b;

/** After ESC: `P` DCS, `X` SOS, `]` OSC, `^` PM, `_` APC. */
const stringIntroducers = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f]);

const harmless = /^[\t\n\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\uffff]*$/;

function stateAfterC1(code: number): State {
  if (code === 0x9b) return 'csi';
  return stringIntroducers.has(code - 0x40) ? 'string' : 'text';
}

function isShown(code: number): boolean {
  if (code < 0x20) return code === newline || code === tab;
  if (code >= 0x7f && code <= 0x9f) return false;
  return !isBidiOverride(code);
}

/** Embeddings, overrides and isolates reorder what a person reads. */
function isBidiOverride(code: number): boolean {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}
