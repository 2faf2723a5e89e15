import { requireFrom } from '@cortexfs/linux/installed-require';

/** What the add-on of node-pty offers; its JavaScript wrapper is bypassed because it loses the end of the output. */
export interface PtyAddon {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, cols: number, rows: number): void;
}

/** Loads the prebuilt add-on of this platform. */
export function ptyAddon(): PtyAddon {
  const { requireBinary } = requireFrom(import.meta.url)('@lydell/node-pty/requireBinary.js') as {
    requireBinary(file: string): PtyAddon;
  };
  return requireBinary('pty.node');
}
