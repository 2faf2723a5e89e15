import { fdatasyncSync, fsyncSync, writeSync } from 'node:fs';
import type { Opened } from '../../../core/file-system.ts';
import { readWhole } from '../../read-whole.ts';
import type { Call, Operation, Outcome } from '../session.ts';
import { putEntry } from '../wire/attributes.ts';
import { MAX_DATA } from '../wire/init.ts';
import { OPCODE } from '../wire/opcode.ts';
import type { Reply } from '../wire/reply.ts';

/** Operations on open files. Where the bytes pass through they go straight between the device and the descriptor. */
export const fileOperations: [number, Operation][] = [
  [OPCODE.OPEN, open],
  [OPCODE.CREATE, create],
  [OPCODE.READ, read],
  [OPCODE.WRITE, write],
  [OPCODE.FLUSH, flush],
  [OPCODE.FSYNC, fsync],
  [OPCODE.RELEASE, release],
];

const FOPEN_DIRECT_IO = 1;
const FOPEN_KEEP_CACHE = 2;
const FSYNC_DATA_ONLY = 1;

function open({ session, fileSystem, request, context, reply }: Call): void {
  const flags = request.u32();
  request.skip(4).end();
  const { node } = request;
  const opened = fileSystem.open(context, node, flags);
  session.opened(opened);
  session.takeBack = () => {
    session.released(opened.handle);
    fileSystem.release(node, opened.handle);
  };
  putOpened(reply, opened);
}

function create({ session, fileSystem, request, context, reply }: Call): void {
  const flags = request.u32();
  const mode = request.u32();
  const name = request.skip(8).name();
  request.end();
  const { entry, opened } = fileSystem.create(context, request.node, name, mode, flags);
  session.opened(opened);
  session.takeBack = () => {
    session.released(opened.handle);
    fileSystem.release(entry.node, opened.handle);
    fileSystem.forget(entry.node, 1);
  };
  putEntry(reply, entry);
  putOpened(reply, opened);
}

function read({ session, fileSystem, request, context, reply }: Call): void {
  const handle = request.u64();
  const offset = request.u64();
  const size = Math.min(request.u32(), MAX_DATA);
  request.skip(20).end();
  const { node } = request;
  const fd = session.descriptors.get(handle);
  if (fd !== undefined) {
    reply.fill(size, (target, start) => readWhole(fd, target, start, size, offset));
    return;
  }
  const data = fileSystem.read(context, node, handle, offset, size);
  if (data.length > size) throw new Error(`read answered ${data.length} bytes where ${size} were asked for`);
  reply.append(data);
}

function write({ session, fileSystem, request, context, reply }: Call): void {
  const handle = request.u64();
  const offset = request.u64();
  const size = request.u32();
  const data = request.skip(20).take(size);
  request.end();
  const fd = session.descriptors.get(handle);
  const written =
    fd === undefined
      ? fileSystem.write(context, request.node, handle, offset, data)
      : writeSync(fd, data, 0, data.length, offset);
  reply.u32(written).u32(0);
}

function flush({ fileSystem, request, context }: Call): void {
  const handle = request.u64();
  request.skip(16).end();
  fileSystem.flush(context, request.node, handle);
}

function fsync({ session, fileSystem, request, context }: Call): Outcome {
  const handle = request.u64();
  const dataOnly = (request.u32() & FSYNC_DATA_ONLY) !== 0;
  request.skip(4).end();
  const fd = session.descriptors.get(handle);
  if (fd === undefined) return fileSystem.fsync(context, request.node, handle, dataOnly);
  const { defer } = session.options;
  if (!defer) return dataOnly ? fdatasyncSync(fd) : fsyncSync(fd);
  defer({ unique: request.unique, fd, dataOnly });
  return 'deferred';
}

function release({ session, fileSystem, request }: Call): void {
  const handle = request.u64();
  request.skip(16).end();
  session.released(handle);
  fileSystem.release(request.node, handle);
}

function putOpened(reply: Reply, { handle, direct, keepCache }: Opened): void {
  reply
    .u64(handle)
    .u32((direct ? FOPEN_DIRECT_IO : 0) | (keepCache ? FOPEN_KEEP_CACHE : 0))
    .u32(0);
}
