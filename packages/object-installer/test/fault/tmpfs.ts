import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import koffi from 'koffi';

const MS_RDONLY = 1;
const MS_REMOUNT = 32;
const MNT_DETACH = 2;

const libc = koffi.load(null);
const mountCall = libc.func('int mount(str source, str target, str type, unsigned long flags, str data)');
const umountCall = libc.func('int umount2(str target, int flags)');

/** A small real file system in memory, in the mount namespace of the process that makes it. */
export class Tmpfs {
  readonly path: string;

  constructor(data = 'size=4m') {
    this.path = mkdtempSync('/tmp/oi-tmpfs-');
    check(mountCall('none', this.path, 'tmpfs', 0, `mode=0755,${data}`), 'mount');
  }

  readOnly(): void {
    check(mountCall('none', this.path, 'tmpfs', MS_REMOUNT | MS_RDONLY, ''), 'remount read-only');
  }

  writable(): void {
    check(mountCall('none', this.path, 'tmpfs', MS_REMOUNT, ''), 'remount');
  }

  /** Takes all blocks, or all inodes, but so many; the function that it returns gives them back. */
  fill(what: 'blocks' | 'inodes', left: number): () => void {
    const { bavail, bsize, ffree } = statfsSync(this.path);
    const fillers = Array.from({ length: what === 'blocks' ? 1 : Math.max(0, ffree - left) }, (_, index) =>
      join(this.path, `filler-${index}`),
    );
    const content = what === 'blocks' ? Buffer.alloc(Math.max(0, bavail - left) * bsize) : '';
    for (const filler of fillers) writeFileSync(filler, content);
    return () => {
      for (const filler of fillers) rmSync(filler);
    };
  }

  unmount(): void {
    check(umountCall(this.path, MNT_DETACH), 'umount');
    rmSync(this.path, { recursive: true });
  }
}

function check(result: number, what: string): void {
  if (result !== 0) throw new Error(`${what} failed with errno ${koffi.errno()}`);
}
