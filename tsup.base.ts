import { basename } from 'node:path';
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
