import { Dispatcher } from '../../../../src/transport/kernel/dispatcher.ts';
import type { DeferredSync } from '../../../../src/transport/kernel/session.ts';
import { OPCODE } from '../../../../src/transport/kernel/wire/opcode.ts';
import { MemoryFileSystem, type MemoryOptions } from './memory-file-system.ts';

/** What the kernel sees of a reply. */
export interface Answer {
  errno: number;
  body: Buffer;
}

/** Plays the kernel towards a dispatcher over a file system in memory; the messages are laid out here by hand. */
export class KernelClient {
  readonly fileSystem: MemoryFileSystem;
  readonly dispatcher: Dispatcher;
  readonly log: string[] = [];
  readonly deferred: DeferredSync[] = [];
  #unique = 0n;

  constructor(options: MemoryOptions & { defer?: boolean } = {}) {
    this.fileSystem = new MemoryFileSystem(options);
    const defer = options.defer ? (work: DeferredSync) => this.deferred.push(work) : undefined;
    this.dispatcher = new Dispatcher(this.fileSystem, { log: (line) => this.log.push(line), defer });
  }

  /** With the handshake done. */
  static ready(options?: MemoryOptions & { defer?: boolean }): KernelClient {
    const client = new KernelClient(options);
    client.ask(
      OPCODE.INIT,
      0,
      u32(7),
      u32(38),
      u32(131072),
      u32(0xffffffff),
      u32(0xffffffff),
      Buffer.alloc(44),
    );
    return client;
  }

  /** The answer to one request; throws when there is none. */
  ask(opcode: number, node: number, ...body: Buffer[]): Answer {
    const reply = this.tell(opcode, node, ...body);
    if (!reply) throw new Error(`no reply to ${opcode}`);
    return reply;
  }

  tell(opcode: number, node: number, ...body: Buffer[]): Answer | undefined {
    this.#unique += 0x100000001n;
    return this.raw(message(opcode, this.#unique, BigInt(node), Buffer.concat(body)));
  }

  /** Checks what every reply must fulfil: its own length, the request's number, no body with an error. */
  raw(bytes: Buffer): Answer | undefined {
    const reply = this.dispatcher.answer(bytes);
    if (!reply) return undefined;
    const errno = -reply.readInt32LE(4);
    if (reply.readUInt32LE(0) !== reply.length) throw new Error('the length is wrong');
    if (reply.readBigUInt64LE(8) !== bytes.readBigUInt64LE(8)) throw new Error('another request’s number');
    if (errno < 0 || errno > 133 || (errno > 0 && reply.length !== 16)) throw new Error(`bad error ${errno}`);
    return { errno, body: Buffer.from(reply.subarray(16)) };
  }

  lookup(parent: number, name: string): number {
    return Number(this.ask(OPCODE.LOOKUP, parent, text(name)).body.readBigUInt64LE(0));
  }

  create(parent: number, name: string): { node: number; handle: number } {
    const { body } = this.ask(OPCODE.CREATE, parent, u32(2), u32(0o100644), u32(0o22), u32(0), text(name));
    return { node: Number(body.readBigUInt64LE(0)), handle: Number(body.readBigUInt64LE(128)) };
  }

  open(node: number): number {
    return Number(this.ask(OPCODE.OPEN, node, u32(2), u32(0)).body.readBigUInt64LE(0));
  }

  write(node: number, handle: number, offset: number, data: Buffer): Answer {
    const body = [u64(handle), u64(offset), u32(data.length), u32(0), u64(0), u32(0), u32(0), data];
    return this.ask(OPCODE.WRITE, node, ...body);
  }

  read(node: number, handle: number, offset: number, size: number): Answer {
    return this.ask(OPCODE.READ, node, u64(handle), u64(offset), u32(size), u32(0), u64(0), u32(0), u32(0));
  }

  readdir(node: number, handle: number, offset: number, size: number, plus = false): Answer {
    const opcode = plus ? OPCODE.READDIRPLUS : OPCODE.READDIR;
    return this.ask(opcode, node, u64(handle), u64(offset), u32(size), u32(0), u64(0), u32(0), u32(0));
  }
}

export function message(opcode: number, unique: bigint, node: bigint, body: Buffer): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40 + body.length, 0);
  header.writeUInt32LE(opcode, 4);
  header.writeBigUInt64LE(unique, 8);
  header.writeBigUInt64LE(node, 16);
  header.writeUInt32LE(process.getuid!(), 24);
  header.writeUInt32LE(process.getgid!(), 28);
  header.writeUInt32LE(process.pid, 32);
  return Buffer.concat([header, body]);
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt.asIntN(64, BigInt(value)));
  return bytes;
}

export function text(value: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(value as string), Buffer.from([0])]);
}

/** Names, cookies and (of READDIRPLUS) nodes in a listing. */
export function parseListing(
  body: Buffer,
  plus: boolean,
): { name: string; node: number; cookie: number; type: number }[] {
  const found = [];
  for (let at = 0; at < body.length; ) {
    const node = plus ? Number(body.readBigUInt64LE(at)) : 0;
    if (plus) at += 128;
    const length = body.readUInt32LE(at + 16);
    const name = body.toString('utf8', at + 24, at + 24 + length);
    found.push({
      name,
      node,
      cookie: Number(body.readBigUInt64LE(at + 8)),
      type: body.readUInt32LE(at + 20),
    });
    at += Math.ceil((24 + length) / 8) * 8;
  }
  return found;
}
