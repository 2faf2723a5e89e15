import { readSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { decodeFrame } from '@cortexfs/abi/jsonl';
import { object, parsed, type Reader, readAs, text } from '@cortexfs/abi/shape';
import { pause } from '@cortexfs/linux/pause';

/** What a runner that was started ahead is to become. */
export interface Order {
  /** Absolute path of the object. */
  object: string;
  /** The step of the run in which it is used. */
  step: string;
}

const MAX_ORDER_BYTES = 4096;

/** Reads the first line of standard input and not a byte more: the rest is the object's own input. */
export function readOrder(): Order {
  const line = Buffer.alloc(MAX_ORDER_BYTES);
  for (let length = 0; length < line.length; length++) {
    if (!readByte(line, length)) throw refused('standard input ended before the order');
    if (line[length] === 0x0a) return readAs('order', order, decodeFrame(line.subarray(0, length)));
  }
  throw refused(`the order is longer than ${MAX_ORDER_BYTES} bytes`);
}

const order: Reader<Order> = object({ object: parsed(absolute), step: text() });

function absolute(path: string): string {
  if (path.startsWith('/')) return path;
  throw refused('the object is named by an absolute path');
}

function readByte(target: Buffer, at: number): boolean {
  for (;;) {
    try {
      return readSync(0, target, at, 1, null) === 1;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return false;
      if (code !== 'EAGAIN') throw error;
      pause(1);
    }
  }
}

function refused(why: string): CortexError {
  return new CortexError('EINVAL', why, { layer: 'frame' });
}
