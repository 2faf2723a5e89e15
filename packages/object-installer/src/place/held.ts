import { closeSync } from 'node:fs';
import type { ClassDirectory } from './class-directory.ts';
import { openStore } from './store.ts';

/** Holds the store, and the directory in it that `open` opens, for as long as `use` works there. */
export async function holdingPlace<T>(
  source: string,
  open: (store: number) => ClassDirectory,
  use: (place: ClassDirectory) => Promise<T>,
): Promise<T> {
  const store = openStore(source);
  try {
    const place = open(store);
    try {
      return await use(place);
    } finally {
      place.close();
    }
  } finally {
    closeSync(store);
  }
}
