import { closeSync, fdatasyncSync, fstatSync, fsyncSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { attrOf } from '../attributes.ts';
import type { Attr, RequestContext } from '../file-system.ts';
import { OpenFile } from '../node/open-file.ts';

/** Bytes of the store through a descriptor of their own. */
export class PassedThrough extends OpenFile {
  readonly path: string;
  override readonly fd: number;
  override readonly direct: boolean;
  override readonly keepCache: boolean;
  readonly #closed: (file: PassedThrough) => void;

  constructor(
    path: string,
    fd: number,
    { direct = false, keepCache = false, closed = (_: PassedThrough) => {} } = {},
  ) {
    super();
    this.path = path;
    this.fd = fd;
    this.direct = direct;
    this.keepCache = keepCache;
    this.#closed = closed;
  }

  read(offset: number, size: number): Buffer {
    const buffer = Buffer.allocUnsafe(size);
    let done = 0;
    while (done < size) {
      const count = readSync(this.fd, buffer, done, size - done, offset + done);
      if (count === 0) break;
      done += count;
    }
    return buffer.subarray(0, done);
  }

  override write(_context: RequestContext, offset: number, data: Buffer): number {
    let done = 0;
    while (done < data.length) done += writeSync(this.fd, data, done, data.length - done, offset + done);
    return done;
  }

  override truncate(size: number): void {
    ftruncateSync(this.fd, size);
  }

  override attr(): Attr {
    return attrOf(fstatSync(this.fd, { bigint: true }));
  }

  override fsync(_context: RequestContext, dataOnly: boolean): void {
    if (dataOnly) fdatasyncSync(this.fd);
    else fsyncSync(this.fd);
  }

  override release(): void {
    closeSync(this.fd);
    this.#closed(this);
  }
}
