import { CortexError } from '@cortexfs/abi/errors';
import type { DirectoryEntry, Entry, Handle } from '../../../core/file-system.ts';
import type { Call, Operation } from '../session.ts';
import { listedSize, putListed, putListedPlus } from '../wire/directory.ts';
import { MAX_DATA } from '../wire/init.ts';
import { encodeListedName } from '../wire/name.ts';
import { OPCODE } from '../wire/opcode.ts';

/** Operations on open directories. */
export const directoryOperations: [number, Operation][] = [
  [OPCODE.OPENDIR, opendir],
  [OPCODE.READDIR, (call) => readdir(call, false)],
  [OPCODE.READDIRPLUS, (call) => readdir(call, true)],
  [OPCODE.FSYNCDIR, fsyncdir],
  [OPCODE.RELEASEDIR, releasedir],
];

const FSYNC_DATA_ONLY = 1;
/** A name of common length, to guess how many entries fill a reply. */
const USUAL_NAME = 16;

function opendir({ session, fileSystem, request, context, reply }: Call): void {
  const flags = request.u32();
  request.skip(4).end();
  const { node } = request;
  const { handle } = fileSystem.opendir(context, node, flags);
  session.takeBack = () => fileSystem.releasedir(node, handle);
  reply.u64(handle).u32(0).u32(0);
}

function readdir(call: Call, plus: boolean): void {
  const { request } = call;
  const handle = request.u64();
  const offset = request.u64();
  const size = Math.min(request.u32(), MAX_DATA);
  request.skip(20).end();
  listFrom(call, { handle, offset, size, plus, nodes: plus && offset > 0 });
}

interface Listing {
  readonly handle: Handle;
  readonly offset: number;
  readonly size: number;
  /** The form that has room for nodes. */
  readonly plus: boolean;
  /**
   * The kernel asks for the first entries in that form in any case, for later ones only when the caller wants to know more
   * than names. To look all up for somebody who reads names would make listings many times slower.
   */
  readonly nodes: boolean;
}

function fsyncdir({ fileSystem, request, context }: Call): void {
  const handle = request.u64();
  const dataOnly = (request.u32() & FSYNC_DATA_ONLY) !== 0;
  request.skip(4).end();
  fileSystem.fsyncdir(context, request.node, handle, dataOnly);
}

function releasedir({ fileSystem, request }: Call): void {
  const handle = request.u64();
  request.skip(16).end();
  fileSystem.releasedir(request.node, handle);
}

/** An empty reply means the end, so it goes on past entries that cannot be shown until one can or none is left. */
function listFrom(call: Call, listing: Listing): void {
  const { fileSystem, request, context, reply } = call;
  const { handle, offset, size, plus } = listing;
  const limit = Math.max(1, Math.ceil(size / listedSize(USUAL_NAME, plus)));
  let cookie = offset;
  while (reply.length === 0) {
    const entries = fileSystem.readdir(context, request.node, handle, cookie, limit);
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (!putIfItFits(call, entry, listing)) {
        if (reply.length === 0) throw new CortexError('EINVAL', 'the buffer is too small for one entry');
        return;
      }
      cookie = entry.cookie;
    }
  }
}

function putIfItFits(call: Call, listed: DirectoryEntry, { size, plus, nodes }: Listing): boolean {
  const { session, reply } = call;
  const name = encodeListedName(listed.name);
  if (name === undefined) {
    session.options.log(`left out of a listing: ${JSON.stringify(listed.name)}`);
    return true;
  }
  if (reply.length + listedSize(name.length, plus) > size) return false;
  if (plus) putListedPlus(reply, listed, name, nodes ? lookedUp(call, listed.name) : undefined);
  else putListed(reply, listed, name);
  return true;
}

/** The node behind a listed name. `.` and `..` get none: the kernel would never give their count back. */
function lookedUp({ session, fileSystem, request, context }: Call, name: string): Entry | undefined {
  if (name === '.' || name === '..') return undefined;
  try {
    const entry = fileSystem.lookup(context, request.node, name);
    const earlier = session.takeBack;
    session.takeBack = () => {
      earlier?.();
      fileSystem.forget(entry.node, 1);
    };
    return entry;
  } catch {
    // Gone meanwhile, or not for this caller: the name is listed, and a lookup of its own will say why.
    return undefined;
  }
}
