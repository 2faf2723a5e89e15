import type { FileSystem, Handle, Opened, RequestContext } from '../../core/file-system.ts';
import type { Reply } from './wire/reply.ts';
import type { Request } from './wire/request.ts';

/** Work that takes long and needs nothing of the file system's state; whoever does it writes the reply. */
export interface DeferredSync {
  readonly unique: bigint;
  readonly fd: number;
  readonly dataOnly: boolean;
}

export interface SessionOptions {
  /** Takes over an fsync of pass-through bytes; without it the fsync is done in place. */
  readonly defer?: ((work: DeferredSync) => void) | undefined;
  /** One line for the log: faults of the file system, and messages that break the protocol. */
  readonly log: (line: string) => void;
}

/** What one mounted connection remembers between requests. */
export class Session {
  readonly fileSystem: FileSystem;
  readonly options: SessionOptions;
  /** Descriptors of open files whose bytes pass through. */
  readonly descriptors = new Map<Handle, number>();
  /** INIT has been answered with a version that both sides speak. */
  agreed = false;
  /** Why the handshake failed; the kernel will then ask nothing more. */
  refusal: unknown;
  /** Takes back what the current request gave the kernel, should the kernel no longer want the reply. */
  takeBack: (() => void) | undefined;

  constructor(fileSystem: FileSystem, options: SessionOptions) {
    this.fileSystem = fileSystem;
    this.options = options;
  }

  opened({ handle, fd }: Opened): void {
    if (fd !== undefined) this.descriptors.set(handle, fd);
  }

  released(handle: Handle): void {
    this.descriptors.delete(handle);
  }
}

/** All that an operation works with. */
export interface Call {
  readonly session: Session;
  readonly fileSystem: FileSystem;
  readonly request: Request;
  readonly context: RequestContext;
  readonly reply: Reply;
}

/** By default the reply is sent; `silent` operations have none; a `deferred` one's is sent by whoever took it over. */
// biome-ignore lint/suspicious/noConfusingVoidType: most operations simply return.
export type Outcome = void | 'silent' | 'deferred';

/** Reads the request's body, calls the file system, fills the reply. Throws to answer with an error. */
export type Operation = (call: Call) => Outcome;

export type Operations = ReadonlyMap<number, Operation>;
