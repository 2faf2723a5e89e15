import { closeSync, constants, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { fsyncDirectorySync } from '@cortexfs/linux/durable-write';
import type { LineLog } from './line-log.ts';
import { linesBackward } from './lines.ts';

/** What a repair put aside. */
export interface TornTail {
  readonly bytes: number;
  readonly keptAt: string;
}

const CHUNK = 1024 * 1024;

/**
 * Cuts what a crash left at the end of a log: bytes without a newline, or lines that are no JSON object.
 * They are first copied to `<log>.torn-<seq>`, where seq is the number that the next line will get (docs/host.md, "Repair").
 */
export function repairTail(log: LineLog, seqOf: (line: Buffer) => number): TornTail | undefined {
  let end = log.size;
  let lastSeq = 0;
  for (const line of linesBackward(log)) {
    const seq = wholeSeq(line.bytes, seqOf);
    if (seq !== undefined) {
      lastSeq = seq;
      break;
    }
    end = line.start;
  }
  if (end === log.size) return undefined;
  const keptAt = keepAside(log, end, lastSeq + 1);
  const bytes = log.size - end;
  log.truncate(end);
  return { bytes, keptAt };
}

function wholeSeq(line: Buffer, seqOf: (line: Buffer) => number): number | undefined {
  if (line[line.length - 1] !== 10) return undefined;
  try {
    JSON.parse(line.toString('utf8'));
    return seqOf(line);
  } catch {
    return undefined;
  }
}

function keepAside(log: LineLog, start: number, seq: number): string {
  const { fd, path } = createUnused(`${log.path}.torn-${seq}`);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let offset = start; offset < log.size; ) {
      const count = log.read(chunk.subarray(0, Math.min(CHUNK, log.size - offset)), offset);
      if (count === 0) break;
      writeSync(fd, chunk, 0, count);
      offset += count;
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  fsyncDirectorySync(dirname(path));
  return path;
}

/** A second tear at the same seq gets a suffix: nothing that was kept is overwritten. */
function createUnused(path: string): { fd: number; path: string } {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  for (let copy = 1; ; copy++) {
    const candidate = copy === 1 ? path : `${path}.${copy}`;
    try {
      return { fd: openSync(candidate, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600), path: candidate };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
