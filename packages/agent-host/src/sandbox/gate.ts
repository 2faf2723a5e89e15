import { closeSync, writeSync } from 'node:fs';
import { socketPair } from '@cortexfs/linux/descriptor-passing';

/** What holds a program back until it is registered. */
export interface Gate {
  /** For `--block-fd`: bubblewrap waits for a byte on it. */
  inner: number;
  /**
   * For `--sync-fd`: its first process keeps a copy of our end. An end of file would open the gate as a byte does, and
   * so the death of the launcher at the wrong moment; like this there is none.
   */
  outer: number;
  open(): void;
  leave(): void;
}

export function openGate(): Gate {
  const [inner, outer] = socketPair();
  let held = true;
  const leave = () => {
    if (held) closeSync(outer);
    held = false;
  };
  return {
    inner,
    outer,
    leave,
    open() {
      if (held) writeSync(outer, '\n');
      leave();
    },
  };
}
