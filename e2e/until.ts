import { setTimeout as sleep } from 'node:timers/promises';

/** What `look` finds once it finds something; fails when that takes more than so many milliseconds. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  patience = 60_000,
): Promise<T> {
  for (const deadline = Date.now() + patience; ; await sleep(30)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited ${patience} ms in vain: ${what}`);
  }
}
