import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import type { InodeStat } from '@cortexfs/linux/stat-at';

/** Read in one request: some milliseconds, for nobody shall wait for somebody else's large artifact. */
const SLICE = 8 * 1024 * 1024;
const MOST_KNOWN = 4096;
const MOST_UNDER_WAY = 16;

/** SHA-256 of artifacts, remembered for as long as device, inode, size and both times stay as they are. */
export class Digests {
  readonly #known = new Map<string, string>();
  readonly #underWay = new Map<string, Reading>();
  readonly #buffer = Buffer.allocUnsafe(1024 * 1024);

  /**
   * The digest of the file as `stat` describes it, or `pending` while there is more to read: each call reads on a little.
   * `changing` when it is not that file any more. `open` gives a descriptor, which is closed here.
   */
  of(stat: InodeStat, open: () => number): string | 'pending' | 'changing' {
    const stamp = stampOf(stat);
    const known = this.#known.get(stamp);
    if (known !== undefined) return known;
    const reading = this.#underWay.get(stamp) ?? this.#begin(stamp, open());
    if (!this.#readOn(reading)) return 'pending';
    this.#underWay.delete(stamp);
    const now = stampOf(fstatSync(reading.fd, { bigint: true }));
    closeSync(reading.fd);
    if (now !== stamp) return 'changing';
    const digest = reading.hash.digest('hex');
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(stamp, digest);
    return digest;
  }

  close(): void {
    for (const { fd } of this.#underWay.values()) closeSync(fd);
    this.#underWay.clear();
  }

  /** Who was begun first and never finished makes room. */
  #begin(stamp: string, fd: number): Reading {
    for (const [oldest, { fd: unfinished }] of this.#underWay) {
      if (this.#underWay.size < MOST_UNDER_WAY) break;
      this.#underWay.delete(oldest);
      closeSync(unfinished);
    }
    const reading = { fd, hash: createHash('sha256'), offset: 0 };
    this.#underWay.set(stamp, reading);
    return reading;
  }

  /** Whether the end was reached. */
  #readOn(reading: Reading): boolean {
    for (let slice = 0; slice < SLICE; ) {
      const count = readSync(reading.fd, this.#buffer, 0, this.#buffer.length, reading.offset);
      if (count === 0) return true;
      reading.hash.update(this.#buffer.subarray(0, count));
      reading.offset += count;
      slice += count;
    }
    return false;
  }
}

interface Reading {
  readonly fd: number;
  readonly hash: Hash;
  offset: number;
}

export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: InodeStat): string {
  return `${dev}.${ino}.${size}.${mtimeNs}.${ctimeNs}`;
}
