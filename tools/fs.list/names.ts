import { opendirSync } from 'node:fs';
import { fromBytes, heldPath, toBytes } from '../filesystem/descriptor.ts';

export interface NamesPage {
  /** Byte strings in byte order. */
  readonly names: readonly string[];
  /** There are names after these. */
  readonly more: boolean;
  /** The last name as text, for the next call's `after`; empty without names. */
  readonly last: string;
}

/**
 * The first `most` names after `after`. Names are ordered by their text as UTF-8, which `after` can express; names that
 * are not UTF-8 may have equal texts, and a page is never cut between such. Memory is bounded by the page, not the directory.
 */
export function pageOfNames(directory: number, after: string, most: number): NamesPage {
  const start = toBytes(after);
  let kept: Name[] = [];
  const listing = opendirSync(heldPath(directory), { encoding: 'latin1' as BufferEncoding });
  try {
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
      const key = toBytes(fromBytes(entry.name));
      if (key <= start) continue;
      kept.push({ key, bytes: entry.name });
      if (kept.length >= 8 * (most + 1)) kept = smallest(kept, most + 1);
    }
  } finally {
    listing.closeSync();
  }
  const page = smallest(kept, most);
  const last = page.at(-1);
  return {
    names: page.map((name) => name.bytes),
    more: kept.length > page.length,
    last: last === undefined ? '' : fromBytes(last.bytes),
  };
}

interface Name {
  readonly key: string;
  readonly bytes: string;
}

/** The `count` smallest names in order, and those that equal the last of them. */
function smallest(names: Name[], count: number): Name[] {
  const sorted = names.sort((a, b) => compare(a.key, b.key) || compare(a.bytes, b.bytes));
  const last = sorted[count - 1];
  return last === undefined ? sorted : sorted.filter((name) => name.key <= last.key);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
