import { CortexError } from '@cortexfs/abi/errors';
import type { Attr } from '../../core/file-system.ts';
import { errnoNumber, errnoOf } from '../errno.ts';
import type { Addon, NativeHandler, NativeRequest } from './addon.ts';
import { attrNumbers, listedNumbers, sizeNumbers, wide } from './answer.ts';
import type { PathFileSystem } from './path-file-system.ts';
import { timesOf } from './times.ts';

export interface HandlerOptions {
  /** Called once, when the kernel has accepted the handshake. */
  readonly onReady: () => void;
  /** Faults of the file system, one line each. */
  readonly log: (line: string) => void;
}

/** What one operation answers: a result of 0 or more, and what the add-on's signal takes after it. */
interface Answer {
  readonly result?: number;
  readonly payload?: readonly unknown[];
}

/** One operation: `answer` may throw; `failed` is what the signal takes besides the errno then. */
interface Operation {
  answer(request: NativeRequest, args: readonly unknown[]): Answer | void | Promise<void>;
  failed?(args: readonly unknown[]): readonly unknown[];
}

/** The operations that libfuse is told of, by name. Those that are absent are the kernel's to do without. */
export function operations(files: PathFileSystem, onReady: () => void): Record<string, Operation> {
  const noAttr = { failed: () => [attrNumbers()] };
  const noNumber = { failed: () => [0] };
  /** The buffer that the add-on lent has to be given back in any case, or it ends the process. */
  const lent = (index: number) => ({ failed: (args: readonly unknown[]) => [bytes(args[index]).buffer] });
  const lentForData = { failed: (args: readonly unknown[]) => [0, bytes(args[2]).buffer] };
  return {
    init: { answer: () => onReady() },
    getattr: { ...noAttr, answer: (_, [path]) => attr(files.getattr(text(path))) },
    fgetattr: { ...noAttr, answer: (_, [, file]) => attr(files.fgetattr(number(file))) },
    chmod: { answer: (_, [path, mode]) => files.setattr(text(path), { mode: number(mode) & 0o7777 }) },
    chown: { answer: (_, [path, uid, gid]) => files.setattr(text(path), owners(number(uid), number(gid))) },
    truncate: {
      answer: (_, [path, low, high]) => files.setattr(text(path), { size: wide(number(low), number(high)) }),
    },
    ftruncate: {
      answer: (_, [, file, low, high]) =>
        files.fsetattr(number(file), { size: wide(number(low), number(high)) }),
    },
    utimens: {
      answer: (request, [path, low, high]) =>
        files.setattr(text(path), timesOf(request, number(low), number(high))),
    },
    readlink: {
      failed: () => [''],
      answer: (_, [path]) => ({ payload: [files.readlink(text(path))] }),
    },
    mknod: { answer: (_, [path, mode, rdev]) => files.mknod(text(path), number(mode), number(rdev)) },
    mkdir: { answer: (_, [path, mode]) => files.mkdir(text(path), number(mode)) },
    symlink: { answer: (_, [target, path]) => files.symlink(text(target), text(path)) },
    link: { answer: (_, [from, to]) => files.link(text(from), text(to)) },
    unlink: { answer: (_, [path]) => files.unlink(text(path)) },
    rmdir: { answer: (_, [path]) => files.rmdir(text(path)) },
    rename: { answer: (_, [from, to]) => files.rename(text(from), text(to)) },
    open: {
      ...noNumber,
      answer: (_, [path, flags]) => ({ payload: [files.open(text(path), number(flags))] }),
    },
    create: {
      ...noNumber,
      answer: (_, [path, mode]) => ({ payload: [files.create(text(path), number(mode) & 0o7777)] }),
    },
    read: {
      ...lentForData,
      answer: (_, [, file, buffer, , low, high]) => {
        const target = bytes(buffer);
        const result = files.read(number(file), target, wide(number(low), number(high)));
        return { result, payload: [result, target.buffer] };
      },
    },
    write: {
      ...lentForData,
      answer: (_, [, file, buffer, , low, high]) => {
        const data = bytes(buffer);
        const result = files.write(number(file), data, wide(number(low), number(high)));
        return { result, payload: [result, data.buffer] };
      },
    },
    flush: { answer: (_, [, file]) => files.flush(number(file)) },
    fsync: { answer: (_, [, dataOnly, file]) => files.fsync(number(file), number(dataOnly) !== 0) },
    release: { answer: (_, [, file]) => files.release(number(file)) },
    readdir: {
      failed: () => [[], []],
      answer: (_, [path]) => {
        const entries = files.readdir(text(path));
        return { payload: [entries.map(({ name }) => name), entries.map(listedNumbers)] };
      },
    },
    fsyncdir: { answer: (_, [path, dataOnly]) => files.fsyncdir(text(path), number(dataOnly) !== 0) },
    statfs: {
      failed: () => [sizeNumbers()],
      answer: (_, [path]) => ({ payload: [sizeNumbers(files.statfs(text(path)))] }),
    },
    getxattr: {
      ...lent(2),
      answer: (_, [path, name, buffer]) => filled(bytes(buffer), files.getxattr(text(path), text(name))),
    },
    listxattr: {
      ...lent(1),
      answer: (_, [path, buffer]) => filled(bytes(buffer), files.listxattr(text(path))),
    },
    setxattr: {
      ...lent(2),
      answer: (_, [path, name, buffer, , flags]) => {
        const value = bytes(buffer);
        files.setxattr(text(path), text(name), value, number(flags));
        return { payload: [value.buffer] };
      },
    },
    removexattr: { answer: (_, [path, name]) => files.removexattr(text(path), text(name)) },
  };
}

/** Numbers of operations are below this; those without a handler are never called. */
const OPERATION_COUNT = 35;

/** The handlers by their numbers, as the add-on wants them. Whatever happens in one, it answers and never throws. */
export function handlersFor(
  addon: Addon,
  files: PathFileSystem,
  { onReady, log }: HandlerOptions,
): { handlers: NativeHandler[]; implemented: Uint32Array } {
  const handlers = new Array<NativeHandler>(OPERATION_COUNT).fill(() => {});
  const implemented = new Uint32Array(OPERATION_COUNT);
  for (const [name, operation] of Object.entries(operations(files, onReady))) {
    const index = addon[`op_${name}`];
    const signal = addon[`fuse_native_signal_${name}`];
    if (index === undefined || signal === undefined)
      throw new CortexError('ENOTSUP', `this build of fuse-native lacks ${name}`, { layer: 'mount' });
    implemented[index] = 1;
    handlers[index] = (request, _number, ...args) => {
      const fail = (error: unknown) => {
        const code = errnoOf(error, name, log);
        signal(request, -errnoNumber(code), ...(operation.failed?.(args) ?? []));
      };
      const done = ({ result = 0, payload = [] }: Answer = {}) => signal(request, result, ...payload);
      try {
        const answer = operation.answer(request, args);
        if (answer instanceof Promise) answer.then(() => done(), fail);
        else done(answer ?? {});
      } catch (error) {
        fail(error);
      }
      files.requestEnds();
    };
  }
  return { handlers, implemented };
}

const attr = (found: Attr): Answer => ({ payload: [attrNumbers(found)] });

/** An empty buffer asks for the length alone. */
function filled(target: Buffer, value: Buffer): Answer {
  if (target.length > 0 && value.length > target.length)
    throw new CortexError('ERANGE', 'the buffer is too small for the value');
  value.copy(target);
  return { result: value.length, payload: [target.buffer] };
}

/** -1, as 32 bits, leaves as it is. */
function owners(uid: number, gid: number): { uid?: number; gid?: number } {
  const none = 0xffff_ffff;
  return { ...(uid !== none && { uid }), ...(gid !== none && { gid }) };
}

// The add-on's word for the types of its arguments is good: it made them.
const text = (value: unknown) => value as string;
const number = (value: unknown) => value as number;
const bytes = (value: unknown) => value as Buffer;
