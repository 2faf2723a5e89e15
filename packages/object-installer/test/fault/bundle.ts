import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Test } from 'tap';

/** Bundles a driver into one file that starts without a loader; gone after the test. Returns its path. */
export async function bundle(t: Test, name: string): Promise<string> {
  // Inside the package, where node finds koffi.
  const outfile = join(import.meta.dirname, `../../.tap/${name}-${process.pid}.mjs`);
  t.teardown(() => rmSync(outfile, { force: true }));
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['koffi'],
    logLevel: 'error',
    banner: {
      js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`,
    },
  });
  return outfile;
}
