import { readFile } from 'node:fs/promises';

/** One line of /proc/self/mountinfo. */
export interface MountedFileSystem {
  readonly mountPoint: string;
  /** `fuse.cortexfs` for ours. */
  readonly type: string;
  readonly source: string;
}

/** The type that mounts of this transport show in the mount table. */
export const MOUNT_TYPE = 'fuse.cortexfs';

/** What is mounted at exactly this canonical path, the uppermost last. Asks the kernel's table, not the mounts. */
export async function mountsAt(path: string): Promise<MountedFileSystem[]> {
  return parseMountTable(await readFile('/proc/self/mountinfo', 'utf8')).filter(
    ({ mountPoint }) => mountPoint === path,
  );
}

export function parseMountTable(text: string): MountedFileSystem[] {
  return text.split('\n').filter(Boolean).map(parseLine);
}

function parseLine(line: string): MountedFileSystem {
  // Optional fields come before the dash, so the part behind it is found by the dash alone.
  const [before = '', behind = ''] = line.split(' - ');
  const [type = '', source = ''] = behind.split(' ');
  return { mountPoint: plainText(before.split(' ')[4] ?? ''), type, source: plainText(source) };
}

/** Blanks, tabs, newlines and backslashes are written as three octal digits. */
function plainText(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
