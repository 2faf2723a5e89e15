import { CortexError } from '@cortexfs/abi/errors';
import { decodeName, decodeText } from './name.ts';

/** Length of `fuse_in_header`. */
export const REQUEST_HEADER = 40;

const HIGH = 2 ** 32;

/**
 * One request as it came from the device: the header's fields, and a cursor over its body. All integers are
 * little-endian (the protocol uses the byte order of the machine, and Node runs on no big-endian one that we support).
 * Whatever the bytes, reading them throws EINVAL, EILSEQ or ENAMETOOLONG at worst.
 */
export class Request {
  readonly opcode: number;
  /** Low and high half of the number that the reply has to repeat. */
  readonly uniqueLow: number;
  readonly uniqueHigh: number;
  readonly uid: number;
  readonly gid: number;
  readonly pid: number;
  readonly #bytes: Buffer;
  #at = REQUEST_HEADER;

  /** `bytes` holds at least a header; it is only borrowed until the next request is read. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.opcode = bytes.readUInt32LE(4);
    this.uniqueLow = bytes.readUInt32LE(8);
    this.uniqueHigh = bytes.readUInt32LE(12);
    this.uid = bytes.readUInt32LE(24);
    this.gid = bytes.readUInt32LE(28);
    this.pid = bytes.readUInt32LE(32);
  }

  get unique(): bigint {
    return (BigInt(this.uniqueHigh) << 32n) | BigInt(this.uniqueLow);
  }

  /** The node that the operation is about. */
  get node(): number {
    return this.#number(16);
  }

  /** Whether the header's own length is that of the message: a message is never split nor joined. */
  get isWhole(): boolean {
    return this.#bytes.readUInt32LE(0) === this.#bytes.length;
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#advance(4));
  }

  /** An unsigned 64-bit number below 2^53; everything that we hand out is. */
  u64(): number {
    return this.#number(this.#advance(8));
  }

  /** A signed 64-bit number, whole. */
  i64(): bigint {
    return this.#bytes.readBigInt64LE(this.#advance(8));
  }

  skip(bytes: number): this {
    this.#advance(bytes);
    return this;
  }

  /** A name up to its closing NUL. */
  name(): string {
    return decodeName(this.#untilNul());
  }

  /** Other text up to its closing NUL: a symlink's target, the name of an extended attribute. */
  text(): string {
    return decodeText(this.#untilNul());
  }

  /** The next `length` bytes, valid until the next request is read. */
  take(length: number): Buffer {
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** What is left of the body, in bytes. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** To be called after the last field: a body that is longer than its operation's was meant as something else. */
  end(): void {
    if (this.left !== 0) throw malformed('the request is too long');
  }

  #untilNul(): Buffer {
    const nul = this.#bytes.indexOf(0, this.#at);
    if (nul === -1) throw malformed('a name does not end');
    const bytes = this.#bytes.subarray(this.#at, nul);
    this.#at = nul + 1;
    return bytes;
  }

  #number(offset: number): number {
    const value = this.#bytes.readUInt32LE(offset + 4) * HIGH + this.#bytes.readUInt32LE(offset);
    if (!Number.isSafeInteger(value)) throw malformed('a number is too large');
    return value;
  }

  #advance(length: number): number {
    const start = this.#at;
    if (length > this.left) throw malformed('the request is too short');
    this.#at = start + length;
    return start;
  }
}

function malformed(why: string): CortexError {
  return new CortexError('EINVAL', why, { layer: 'mount' });
}
