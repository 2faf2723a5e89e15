import { CortexError } from './errors.ts';
import { type JsonObject, parseJsonObject } from './json.ts';

/** The largest frame of any socket, in bytes, with its newline: 1 MiB. */
export const MAX_FRAME_BYTES = 1024 * 1024;

/** `bytes` is the length of the line with its newline. */
export type DecodedFrame =
  | { ok: true; value: JsonObject; bytes: number }
  | { ok: false; error: CortexError; bytes: number };

export interface FrameDecoderOptions {
  /** Largest frame in bytes, with its newline. */
  maxBytes?: number;
}

/**
 * Splits a byte stream into JSONL frames, each one JSON object on one line. Chunks may be cut anywhere. A bad
 * line gives one error frame (EINVAL, EMSGSIZE when too long) and the decoder goes on with the next line. Memory
 * stays within the limit whatever arrives, time is linear in the bytes. See docs/sockets.md.
 */
export class FrameDecoder {
  readonly #maxBytes: number;
  /** The beginning of an unfinished line: the first `#length` bytes of `#held`. */
  #held: Buffer = nothing;
  #length = 0;
  /** The current line is already over the limit and reported: skip to its end. */
  #skipping = false;

  constructor({ maxBytes = MAX_FRAME_BYTES }: FrameDecoderOptions = {}) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): DecodedFrame[] {
    const frames: DecodedFrame[] = [];
    let start = 0;
    while (start < chunk.length) {
      const newline = chunk.indexOf(0x0a, start);
      const end = newline === -1 ? chunk.length : newline + 1;
      const frame = this.#take(chunk.subarray(start, end), newline !== -1);
      if (frame) frames.push(frame);
      start = end;
    }
    return frames;
  }

  /** The stream ended. An unfinished line is dropped; returns how many of its bytes were held. */
  end(): number {
    const dropped = this.#length;
    this.#release();
    this.#skipping = false;
    return dropped;
  }

  #take(piece: Uint8Array, complete: boolean): DecodedFrame | undefined {
    if (this.#skipping) {
      this.#skipping = !complete;
      return undefined;
    }
    const bytes = this.#length + piece.length;
    // An unfinished line still needs its newline, so it is too long as soon as it fills the limit.
    if (bytes > (complete ? this.#maxBytes : this.#maxBytes - 1)) {
      this.#release();
      this.#skipping = !complete;
      return { ok: false, error: tooLong(this.#maxBytes), bytes };
    }
    if (!complete) {
      this.#hold(piece);
      return undefined;
    }
    const line = this.#length === 0 ? piece : this.#joined(piece);
    const frame = decodeLine(line.subarray(0, -1), bytes);
    this.#release();
    return frame;
  }

  /** Copies into one growing buffer: keeping the chunks would let one-byte writes pin a page each. */
  #hold(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#held.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(this.#maxBytes, Math.max(1024, needed * 2)));
      this.#held.copy(grown, 0, 0, this.#length);
      this.#held = grown;
    }
    this.#held.set(piece, this.#length);
    this.#length = needed;
  }

  #joined(piece: Uint8Array): Uint8Array {
    this.#hold(piece);
    return this.#held.subarray(0, this.#length);
  }

  #release(): void {
    this.#length = 0;
    if (this.#held.length > keptBytes) this.#held = nothing;
  }
}

/** The one line of JSON that a frame is on the wire. EMSGSIZE when it would be over the limit. */
export function encodeFrame(value: object, { maxBytes = MAX_FRAME_BYTES }: FrameDecoderOptions = {}): Buffer {
  const line = Buffer.from(`${JSON.stringify(value)}\n`);
  if (line.length > maxBytes) throw tooLong(maxBytes, line.length);
  return line;
}

/** Reads one line, given without its newline. */
export function decodeFrame(line: Uint8Array): JsonObject {
  return parseJsonObject(decodeUtf8(line));
}

/** Text of UTF-8 bytes. EINVAL when they are not valid; a byte order mark is kept as a character. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new CortexError('EINVAL', 'not valid UTF-8', { layer: 'format', cause });
  }
}

/** Buffers up to this size are kept from line to line; idle connections hold no more. */
const keptBytes = 4096;
const nothing = Buffer.alloc(0);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeLine(line: Uint8Array, bytes: number): DecodedFrame {
  try {
    return { ok: true, value: decodeFrame(line), bytes };
  } catch (error) {
    if (error instanceof CortexError) return { ok: false, error, bytes };
    throw error;
  }
}

function tooLong(maxBytes: number, bytes?: number): CortexError {
  const size = bytes === undefined ? '' : ` of ${bytes} bytes`;
  return new CortexError('EMSGSIZE', `frame${size} is longer than ${maxBytes} bytes with its newline`, {
    layer: 'frame',
  });
}
