import type { Watcher } from '../step/watcher.ts';
import { listenForInterrupt } from './interrupt.ts';
import { Progress } from './progress.ts';

/** Does the work under a person's eyes: with progress on their terminal, and until they interrupt it. */
export async function commandWatcher<T>(work: (watcher: Watcher) => Promise<T>): Promise<T> {
  const progress = new Progress();
  const interrupted = listenForInterrupt();
  try {
    return await work({ interrupted, progress: (what, bytes, total) => progress.at(what, bytes, total) });
  } finally {
    progress.end();
  }
}
