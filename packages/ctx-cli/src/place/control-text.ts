import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type Codec, MAX_CONTROL_BYTES } from '@cortexfs/abi/controls/codec';
import { CortexError, fromNodeError, withContext } from '@cortexfs/abi/errors';
import { fileAt } from './abi-path.ts';

/** The text of a small regular file of the root. A pipe is refused, not waited for; EMSGSIZE over 64 KiB. */
export function controlText(root: string, path: string): string {
  try {
    const fd = openSync(fileAt(root, path), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) throw new CortexError('EINVAL', 'it is not a regular file');
      if (stat.size > MAX_CONTROL_BYTES)
        throw new CortexError(
          'EMSGSIZE',
          `it has ${stat.size} bytes, a control has at most ${MAX_CONTROL_BYTES}`,
        );
      return readFileSync(fd, 'utf8');
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw fromNodeError(error, { path });
  }
}

/** The value of a control, or why there is none. `missing` is the default of an optional one. */
export function loadControl<T>(root: string, path: string, codec: Codec<T>, missing?: T): T | CortexError {
  try {
    return codec.parse(controlText(root, path));
  } catch (error) {
    const fault = withContext(fromNodeError(error), { path, layer: 'control' });
    return fault.code === 'ENOENT' && missing !== undefined ? missing : fault;
  }
}
