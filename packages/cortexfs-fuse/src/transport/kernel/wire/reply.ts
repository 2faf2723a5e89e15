/** Length of `fuse_out_header`. */
export const REPLY_HEADER = 16;

const HIGH = 2 ** 32;

/** The one buffer in which replies are built; each `start` begins the next and ends the life of the last. */
export class Reply {
  readonly bytes: Buffer;
  #length = REPLY_HEADER;

  constructor(maxBody: number) {
    this.bytes = Buffer.alloc(REPLY_HEADER + maxBody);
  }

  start(uniqueLow: number, uniqueHigh: number): void {
    this.bytes.writeUInt32LE(uniqueLow, 8);
    this.bytes.writeUInt32LE(uniqueHigh, 12);
    this.#length = REPLY_HEADER;
  }

  /** Drops what was built so far. */
  clear(): void {
    this.#length = REPLY_HEADER;
  }

  /** The finished message; `errno` is 0 or a positive Linux number, whose reply has no body. */
  finish(errno: number): Buffer {
    if (errno !== 0) this.clear();
    this.bytes.writeUInt32LE(this.#length, 0);
    this.bytes.writeInt32LE(-errno, 4);
    return this.bytes.subarray(0, this.#length);
  }

  /** Body bytes so far. */
  get length(): number {
    return this.#length - REPLY_HEADER;
  }

  u16(value: number): this {
    this.#length = this.bytes.writeUInt16LE(value, this.#length);
    return this;
  }

  u32(value: number): this {
    this.#length = this.bytes.writeUInt32LE(value >>> 0, this.#length);
    return this;
  }

  /** A non-negative safe integer in 64 bits. */
  u64(value: number): this {
    this.bytes.writeUInt32LE(value % HIGH, this.#length);
    this.#length = this.bytes.writeUInt32LE(Math.floor(value / HIGH), this.#length + 4);
    return this;
  }

  /** Any 64 bits; a negative number in two's complement. */
  big(value: bigint): this {
    this.#length = this.bytes.writeBigUInt64LE(BigInt.asUintN(64, value), this.#length);
    return this;
  }

  append(data: Uint8Array): this {
    this.bytes.set(data, this.#length);
    this.#length += data.length;
    return this;
  }

  zeros(count: number): this {
    this.bytes.fill(0, this.#length, this.#length + count);
    this.#length += count;
    return this;
  }

  /** Lets `write` put up to `size` bytes into the buffer directly; it returns how many it put. */
  fill(size: number, write: (target: Buffer, offset: number, size: number) => number): void {
    this.#length += write(this.bytes, this.#length, size);
  }
}
