import { readSync } from 'node:fs';
import { pause } from '@cortexfs/linux/pause';

/** Longest line, in bytes. */
const MAX_LINE = 1024 * 1024;

/**
 * Reads one line from a descriptor that is no terminal. Byte by byte, so that what follows the line is left for the command
 * that the line runs. Undefined at the end.
 */
export function readLine(fd: number): string | undefined {
  const bytes: number[] = [];
  const byte = Buffer.alloc(1);
  for (;;) {
    if (readByte(fd, byte) === 0) return bytes.length > 0 ? Buffer.from(bytes).toString() : undefined;
    if (byte[0] === 0x0a) return Buffer.from(bytes).toString();
    if (bytes.length < MAX_LINE) bytes.push(byte[0]!);
  }
}

function readByte(fd: number, into: Buffer): number {
  for (;;) {
    try {
      return readSync(fd, into, 0, 1, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      // Somebody made the pipe non-blocking.
      pause(10);
    }
  }
}
