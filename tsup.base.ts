import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig, type Options } from 'tsup';

/** Native add-ons stay outside the bundle: they are ordinary dependencies of the bin that loads them. */
const nativeAddons = ['koffi', '@lydell/node-pty', 'fuse-native'];

/** The bundle of one bin: `src/main.ts` becomes `dist/NAME.js`, with lazily imported parts as chunks beside it. */
export function binBundle(packageFolder: string, more: Options = {}) {
  const name = basename(packageFolder);
  return defineConfig({
    entry: { [name]: 'src/main.ts' },
    format: 'esm',
    target: 'node20',
    platform: 'node',
    splitting: true,
    clean: true,
    silent: true,
    noExternal: [/^(?!koffi$|@lydell\/node-pty|fuse-native$)/],
    external: nativeAddons,
    banner: {
      js: `#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`,
    },
    outExtension: () => ({ js: '.js' }),
    ...more,
  });
}

/**
 * As `binBundle`, but one CommonJS file: no chunk is resolved and no module loader is set up at start, which makes a short
 * program a quarter faster. Dynamically imported parts are still evaluated only when they are reached. For bins whose start-up
 * is what people wait for; `src/main.ts` must not await at its top level. `finish` runs after each build.
 */
export function singleFileBundle(packageFolder: string, finish?: () => void, more: Options = {}) {
  return binBundle(packageFolder, {
    ...more,
    format: 'cjs',
    splitting: false,
    define: { 'import.meta.url': '__fileUrl' },
    banner: {
      js: `#!/usr/bin/env node\nconst __fileUrl = require('node:url').pathToFileURL(__filename).href;`,
    },
    onSuccess: async () => {
      // The package is of type module; what lies in dist is not.
      writeFileSync(join(packageFolder, 'dist/package.json'), '{"type":"commonjs"}\n');
      finish?.();
    },
  });
}
