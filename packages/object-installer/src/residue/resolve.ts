import { joinWords } from '@cortexfs/abi/command-words';
import type { Incomplete, Residue } from './audit.ts';

/** The command line that takes a residue away; for what is to be looked at first, what then removes it. */
export function commandFor(source: string, { path, inode, removable }: Residue): string {
  return removable
    ? joinWords([
        ...['ctx', 'object', 'residue', 'cleanup', '--source', source, '--path', path],
        ...['--dev', String(inode.dev), '--ino', String(inode.ino), '--yes'],
      ])
    : joinWords(['rm', '-r', '--', `${source}/${path}`]);
}

/** The command line that removes controls whose executable is gone. */
export function uninstallCommand(source: string, { class: objectClass, name, tier }: Incomplete): string {
  return joinWords([
    ...['ctx', 'object', 'uninstall', '--source', source, objectClass, name],
    ...['--tier', tier, '--yes'],
  ]);
}
