import { readFileSync } from 'node:fs';

/** A mount as the kernel lists it. */
export interface MountEntry {
  readonly point: string;
  readonly type: string;
}

/** The type that CortexFS mounts show in the kernel's table. */
const cortexType = 'fuse.cortexfs';

/** The CortexFS mount at a path, also one whose daemon died. Never touches the path itself, which may hang or fail. */
export function cortexMountAt(path: string): MountEntry | undefined {
  return readMounts().find(({ point, type }) => point === path && type === cortexType);
}

function readMounts(): MountEntry[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [before, after] = line.split(' - ');
      const point = before?.split(' ')[4];
      const type = after?.split(' ')[0];
      return point && type ? [{ point: unescapeOctal(point), type }] : [];
    });
}

/** The kernel writes blanks and backslashes of a path as \040, \011, \012, \134. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
