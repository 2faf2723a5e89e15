/** Whether a text is a SHA-256 digest as we write it: 64 lowercase hexadecimal digits. */
export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
