import { readFileSync } from 'node:fs';

/** Mount points of a process and whether they can be written; of several at one place the topmost counts. */
export function mountsOf(pid: number): Map<string, 'ro' | 'rw'> {
  const mounts = new Map<string, 'ro' | 'rw'>();
  for (const line of readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n')) {
    const [, , , , point, options] = line.split(' ');
    if (point === undefined || options === undefined) continue;
    mounts.set(unescapeOctal(point), options.split(',').includes('ro') ? 'ro' : 'rw');
  }
  return mounts;
}

/** The kernel writes blanks and backslashes of a path as \040 and the like, byte by byte. */
export function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
