import { closeSync, constants, readSync } from 'node:fs';
import { type Codec, MAX_CONTROL_BYTES } from '@cortexfs/abi/controls/codec';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import type { InodeStat } from '@cortexfs/linux/stat-at';
import { missing } from '../refuse.ts';
import { identityOf } from '../store/identity.ts';
import { Location } from '../store/location.ts';
import type { Places } from '../store/places.ts';
import type { Store } from '../store/store.ts';
import { decodeText } from './text.ts';

const LIMIT = 20_000;

/** Reads control files, whole, and keeps what it parsed for as long as the file is the same. */
export class ControlReader {
  readonly #store: Store;
  readonly #places: Places;
  readonly #parsed = new Map<string, { stamp: string; codec: unknown; value: unknown }>();

  constructor(store: Store, places: Places) {
    this.#store = store;
    this.#places = places;
  }

  /** The bytes of a control: `directory` is the ABI path of its `NAME.d`. ENOENT, EMSGSIZE, EACCES when it is no file. */
  bytes(directory: string, control: string): Buffer {
    const { location, stat } = this.#find(directory, control);
    if (stat.size > MAX_CONTROL_BYTES) throw tooLarge(location.path(), stat.size);
    return readWhole(this.#store, location, Number(stat.size));
  }

  /** The value of a control, or why there is none. */
  load<T>(directory: string, control: string, codec: Codec<T>): T | CortexError {
    try {
      return this.#load(directory, control, codec);
    } catch (error) {
      return fromNodeError(error, { path: `${directory}/${control}`, layer: 'control' });
    }
  }

  /** The value, or a default where the file is absent or unusable. */
  loadOr<T>(directory: string, control: string, codec: Codec<T>, otherwise: T): T {
    const value = this.load(directory, control, codec);
    return value instanceof CortexError ? otherwise : value;
  }

  #load<T>(directory: string, control: string, codec: Codec<T>): T {
    const { stat } = this.#find(directory, control);
    const key = `${directory}/${control}`;
    const stamp = `${identityOf(stat)}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`;
    const known = this.#parsed.get(key);
    if (known?.stamp === stamp && known.codec === codec) return known.value as T;
    const value = codec.parse(decodeText(this.bytes(directory, control)));
    if (this.#parsed.size >= LIMIT) this.#parsed.clear();
    this.#parsed.set(key, { stamp, codec, value });
    return value;
  }

  #find(directory: string, control: string): { location: Location; stat: InodeStat } {
    const place = this.#places.directory(directory);
    const stat = place && this.#store.find(place, control);
    if (stat === undefined) throw missing(directory, control);
    return { location: new Location(place, control, identityOf(stat)), stat };
  }
}

/** One byte more than expected is asked for, so that a file that grew meanwhile is noticed and read again. */
function readWhole(store: Store, location: Location, expected: number): Buffer {
  const fd = store.open(location, constants.O_RDONLY);
  try {
    let bytes = readAtMost(fd, expected + 1);
    if (bytes.length > expected) bytes = readAtMost(fd, MAX_CONTROL_BYTES + 1);
    if (bytes.length > MAX_CONTROL_BYTES) throw tooLarge(location.path(), bytes.length);
    return bytes;
  } finally {
    closeSync(fd);
  }
}

function readAtMost(fd: number, limit: number): Buffer {
  const buffer = Buffer.allocUnsafe(limit);
  let size = 0;
  for (let count = -1; count !== 0 && size < limit; size += count)
    count = readSync(fd, buffer, size, limit - size, size);
  return buffer.subarray(0, size);
}

function tooLarge(path: string, size: bigint | number): CortexError {
  return new CortexError('EMSGSIZE', `a control holds at most ${MAX_CONTROL_BYTES} bytes, this has ${size}`, {
    path,
    layer: 'control',
  });
}
