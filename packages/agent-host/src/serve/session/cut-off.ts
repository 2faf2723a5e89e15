import { existsSync } from 'node:fs';
import { LineLog } from './line-log.ts';
import { linesBackward } from './lines.ts';
import type { SessionFiles } from './session-files.ts';
import { readHead } from './stored-event.ts';

/** Whether a session needs repair, told from its state and its last event alone: two small reads. */
export function isCutOff(files: SessionFiles): boolean {
  if (files.state() === 'active') return true;
  if (!existsSync(files.path('events'))) return false;
  const log = LineLog.open(files.path('events'));
  try {
    for (const { bytes } of linesBackward(log)) {
      const { type, run } = readHead(bytes);
      return bytes.at(-1) !== 10 || (run !== undefined && type !== 'done');
    }
    return false;
  } catch {
    return true;
  } finally {
    log.close();
  }
}
