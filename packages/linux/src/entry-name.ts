/** Bytes where a name is not UTF-8: a directory holds names, not text. */
export type EntryName = string | Uint8Array;

/** The name as C reads it, ended by a NUL; EINVAL when it holds one itself. */
export function cString(name: EntryName): Uint8Array {
  const bytes = typeof name === 'string' ? Buffer.from(name) : name;
  if (bytes.includes(0)) throw invalid('the path holds a NUL');
  return Buffer.concat([bytes, Buffer.of(0)]);
}

/** As `cString`, for a name in one directory: EINVAL when it leads anywhere else. */
export function oneComponent(name: EntryName): Uint8Array {
  const text = cString(name);
  const path = Buffer.from(text.buffer, text.byteOffset, text.length - 1);
  if (path.includes('/') || ['', '.', '..'].includes(path.toString('latin1')))
    throw invalid('the name is not one of a directory entry');
  return text;
}

function invalid(why: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`EINVAL: ${why}`), { code: 'EINVAL' });
}
