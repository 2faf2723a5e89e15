import { lstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * What keeps other users from starting a program: the first file or directory on the way to it that is closed to them,
 * with its mode; undefined when they can.
 */
export function closedToOthers(program: string): string | undefined {
  const way = [program, realpathSync(program)].flatMap(ancestorsOf);
  const closed = way.find((path) => {
    const stat = lstatSync(path);
    return (stat.mode & (stat.isDirectory() ? PASS : READ)) === 0;
  });
  return closed && `${closed} has mode ${(lstatSync(closed).mode & 0o7777).toString(8).padStart(4, '0')}`;
}

const PASS = 0o001;
const READ = 0o004;

/** From the root down to the path itself. */
function ancestorsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...ancestorsOf(parent), path];
}
