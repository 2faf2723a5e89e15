import { isUtf8 } from 'node:buffer';

export interface Text {
  readonly text: string;
  /** Bytes that the text takes in the file. */
  readonly length: number;
}

/** The bytes as text, undefined when they are not UTF-8. A page that was cut (`cut`) ends with its last whole character. */
export function textOf(bytes: Buffer, cut: boolean): Text | undefined {
  const length = cut ? wholeLength(bytes) : bytes.length;
  if (length === 0 && bytes.length > 0) return undefined;
  const kept = bytes.subarray(0, length);
  return isUtf8(kept) ? { text: kept.toString('utf8'), length } : undefined;
}

/** Length without a last character that is not complete. */
function wholeLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return back < sequenceLength(byte) ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
