import type { ChildProcess } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** What bubblewrap says on standard error while it builds: one message is short. */
const MAX_BYTES = 8192;

export interface SetupOutput {
  text(): string;
  /** From now on the stream belongs to the program. */
  stop(): void;
}

/** Listens on the child's standard error, or on the end of the log file that takes its place. */
export function setupOutput(child: ChildProcess, log: number | undefined): SetupOutput {
  return log === undefined ? fromStream(child) : fromLog(log);
}

function fromStream({ stderr }: ChildProcess): SetupOutput {
  let text = '';
  const listen = (part: Buffer) => {
    if (text.length < MAX_BYTES) text += part.toString('utf8');
  };
  stderr?.on('data', listen);
  return {
    text: () => text,
    stop() {
      stderr?.off('data', listen);
      stderr?.pause();
    },
  };
}

function fromLog(log: number): SetupOutput {
  const start = fstatSync(log).size;
  return {
    text() {
      // A terminal or a pipe cannot be read back; the message is on it.
      if (!fstatSync(log).isFile()) return '';
      // The very same file, for systemd hands it over for writing only.
      const readable = openSync(`/proc/self/fd/${log}`, constants.O_RDONLY);
      try {
        const buffer = Buffer.alloc(MAX_BYTES);
        return buffer.toString('utf8', 0, readSync(readable, buffer, 0, MAX_BYTES, start));
      } finally {
        closeSync(readable);
      }
    },
    stop() {},
  };
}
