import type { FileSystem } from '../../core/file-system.ts';
import { errnoNumber, errnoOf } from '../errno.ts';
import { Caller } from './caller.ts';
import { attributeOperations } from './operations/attributes.ts';
import { connectionOperations, SILENT } from './operations/connection.ts';
import { directoryOperations } from './operations/directory.ts';
import { entryOperations } from './operations/entry.ts';
import { fileOperations } from './operations/file.ts';
import { nameOperations } from './operations/name.ts';
import { xattrOperations } from './operations/xattr.ts';
import { type Operations, Session, type SessionOptions } from './session.ts';
import { MAX_DATA } from './wire/init.ts';
import { OPCODE, opcodeName } from './wire/opcode.ts';
import { Reply } from './wire/reply.ts';
import { REQUEST_HEADER, Request } from './wire/request.ts';

const operations: Operations = new Map([
  ...connectionOperations,
  ...entryOperations,
  ...nameOperations,
  ...attributeOperations,
  ...fileOperations,
  ...directoryOperations,
  ...xattrOperations,
]);

/**
 * Turns request messages of the kernel into calls of a file system and the results into reply messages. Whatever the bytes
 * and whatever the file system throws, it answers, and never throws itself (docs/transport.md).
 */
export class Dispatcher {
  readonly #session: Session;
  readonly #reply = new Reply(MAX_DATA + 4096);

  constructor(fileSystem: FileSystem, options: SessionOptions) {
    this.#session = new Session(fileSystem, options);
  }

  /** The handshake is over: the mount answers. */
  get agreed(): boolean {
    return this.#session.agreed;
  }

  /** Why there can be no handshake, once that is known. */
  get refusal(): unknown {
    return this.#session.refusal;
  }

  /** The reply to one message, valid until the next call; undefined when there is none, or none yet. */
  answer(message: Buffer): Buffer | undefined {
    this.#session.takeBack = undefined;
    if (message.length < REQUEST_HEADER) {
      this.#session.options.log(`dropped a message of ${message.length} bytes`);
      return undefined;
    }
    const request = new Request(message);
    this.#reply.start(request.uniqueLow, request.uniqueHigh);
    try {
      return this.#perform(request);
    } catch (error) {
      this.replyIsLost();
      return this.#fail(request, error);
    }
  }

  /** The kernel did not take the last reply (its caller was killed): what that reply gave is taken back. */
  replyIsLost(): void {
    const { takeBack, options } = this.#session;
    this.#session.takeBack = undefined;
    try {
      takeBack?.();
    } catch (error) {
      errnoOf(error, 'taking back', options.log);
    }
  }

  #perform(request: Request): Buffer | undefined {
    const session = this.#session;
    if (!request.isWhole) return this.#refuse(request, 'EPROTO');
    if (!session.agreed && request.opcode !== OPCODE.INIT) return this.#refuse(request, 'EPROTO');
    const operation = operations.get(request.opcode);
    // The kernel then does without: locks, seeking, copying and the like work by its own means.
    if (!operation) return this.#reply.finish(errnoNumber('ENOSYS'));
    const { fileSystem } = session;
    const outcome = operation({
      session,
      fileSystem,
      request,
      context: new Caller(request),
      reply: this.#reply,
    });
    return outcome === undefined ? this.#reply.finish(0) : undefined;
  }

  #refuse(request: Request, code: 'EPROTO'): Buffer | undefined {
    this.#session.options.log(`${opcodeName(request.opcode)}: breaks the protocol`);
    return SILENT.has(request.opcode) ? undefined : this.#reply.finish(errnoNumber(code));
  }

  #fail(request: Request, error: unknown): Buffer | undefined {
    if (request.opcode === OPCODE.INIT) this.#session.refusal = error;
    const code = errnoOf(error, opcodeName(request.opcode), this.#session.options.log);
    return SILENT.has(request.opcode) ? undefined : this.#reply.finish(errnoNumber(code));
  }
}
