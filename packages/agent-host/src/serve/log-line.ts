import { writeSync } from 'node:fs';

/** One line for whoever runs the agent, on standard error. A full disk under the log must not end the host. */
export function logLine(line: string, fd = 2): void {
  try {
    writeSync(fd, `${line}\n`);
  } catch {
    // There is nobody left to tell.
  }
}
