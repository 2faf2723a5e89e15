import { CortexError } from '@cortexfs/abi/errors';

/** Who looks on while a command works. */
export interface Watcher {
  /** Called when a step has been taken; the next one waits for a promise that it gives. */
  afterStep?(name: string): unknown;
  /** Whether the user wants to stop; asked before each step and while files are read. */
  interrupted?(): boolean;
  /** Told now and then how much of a file was read. */
  progress?(what: string, bytes: number, total: number): void;
}

export function requireGoingOn({ interrupted }: Watcher): void {
  if (interrupted?.()) throw new CortexError('ECANCELED', 'interrupted: nothing was changed');
}

/** For the readers of files: passes progress on and stops them when the user wants to stop. */
export function watchBytes(watcher: Watcher, what: string): (bytes: number, total: number) => void {
  return (bytes, total) => {
    requireGoingOn(watcher);
    watcher.progress?.(what, bytes, total);
  };
}
