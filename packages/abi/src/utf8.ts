/** The longest beginning of a text that fits into so many bytes of UTF-8, cut between characters. */
export function truncateUtf8(text: string, maxBytes: number): { text: string; truncated: boolean } {
  if (Buffer.byteLength(text) <= maxBytes) return { text, truncated: false };
  const bytes = Buffer.from(text);
  let end = maxBytes;
  // Continuation bytes are 10xxxxxx: go back to the first byte of the character that does not fit.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return { text: bytes.toString('utf8', 0, end), truncated: true };
}
