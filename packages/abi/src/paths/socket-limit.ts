import { CortexError } from '../errors.ts';

/** Longest path that a Unix socket address can hold, in bytes: `sun_path` is 108 with its NUL. */
export const MAX_SOCKET_PATH_BYTES = 107;

/** The path, when a socket can be bound or reached there; else ENAMETOOLONG, for Node would cut it silently. */
export function checkSocketPath(path: string): string {
  const bytes = Buffer.byteLength(path);
  if (bytes <= MAX_SOCKET_PATH_BYTES) return path;
  throw new CortexError(
    'ENAMETOOLONG',
    `socket path of ${bytes} bytes; Unix sockets allow ${MAX_SOCKET_PATH_BYTES}`,
    {
      path,
      layer: 'socket',
      hint: 'use a shorter XDG_RUNTIME_DIR, or shorter agent and session names',
    },
  );
}
