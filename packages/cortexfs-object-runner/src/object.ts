import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { type ObjectMetadata, parseObjectMetadata } from '@cortexfs/abi/object-metadata';

/** Metadata is a few lines; a file longer than this is none. */
const MAX_METADATA_BYTES = 64 * 1024;

export interface OpenedObject extends ObjectMetadata {
  /** The file that was opened: an absolute path without links. */
  readonly file: string;
}

/**
 * Reads what OBJECT is from one held descriptor: the file that the kernel or a caller named, whatever its name
 * stands for a moment later. ENOENT, EACCES as the system says; EINVAL when it is not a CortexFS object.
 */
export function readObject(path: string): OpenedObject {
  const { text, file } = readBeginning(path);
  if (!text.startsWith('#!')) {
    throw new CortexError('EINVAL', 'is not a CortexFS object: it does not begin with its runner', {
      path,
      layer: 'format',
      hint: 'objects are the executable files below agent/, model/ and tool/ of a CortexFS root',
    });
  }
  return { ...parseObjectMetadata(text), file };
}

function readBeginning(path: string): { text: string; file: string } {
  try {
    // O_NONBLOCK: a FIFO put in the object's place must not hang the caller.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      if (!fstatSync(fd).isFile()) {
        throw new CortexError('EINVAL', 'is not a regular file', { path, layer: 'format' });
      }
      const buffer = Buffer.alloc(MAX_METADATA_BYTES + 1);
      const length = readSync(fd, buffer, 0, buffer.length, 0);
      if (length > MAX_METADATA_BYTES) {
        throw new CortexError('EINVAL', 'is not a CortexFS object: its metadata is over 64 KiB', {
          path,
          layer: 'format',
        });
      }
      return { text: buffer.toString('utf8', 0, length), file: readlinkSync(`/proc/self/fd/${fd}`) };
    } finally {
      closeSync(fd);
    }
  } catch (err) {
    throw fromNodeError(err, { path });
  }
}
