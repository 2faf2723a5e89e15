import { codeOf, systemCall } from './native.ts';

const getxattr = systemCall(
  'getxattr',
  'long getxattr(str path, str name, _Out_ uint8_t *value, size_t size)',
);
const LONGEST = 4096;

/** The text of an extended attribute of at most 4 KiB; undefined where the file has none of that name. */
export function readXattr(path: string, name: string): string | undefined {
  const buffer = Buffer.alloc(LONGEST);
  try {
    return buffer.toString('utf8', 0, getxattr(path, name, buffer, buffer.length));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENODATA' || code === 'ENOTSUP' || code === 'EOPNOTSUPP') return undefined;
    throw error;
  }
}
