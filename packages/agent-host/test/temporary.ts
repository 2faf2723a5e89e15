import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

/** A directory of this test alone; it goes with the test, however that ends. */
export function temporaryDirectory(t: Pick<Test, 'teardown'>): string {
  const directory = mkdtempSync(join(tmpdir(), 'ah-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
