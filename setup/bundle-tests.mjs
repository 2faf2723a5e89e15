// Makes each test file one JavaScript file, with all sources of the workspace in it: loaded one by one through a
// loader, they cost a second of a processor a test file.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles test files (relative to the current package) into .tap/build; returns a map from each to its bundle. With `alone`,
 * a file has its process for itself and tap is bundled too; files that share a process have to share one tap.
 */
export async function bundleTests(files, { alone, sourcemap }) {
  const outdir = '.tap/build';
  await build({
    entryPoints: files,
    outdir,
    outbase: '.',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['import', 'node'],
    mainFields: ['main'],
    sourcemap,
    banner: {
      js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`,
    },
    plugins: [ownPlace, installedPackages(alone)],
  });
  return new Map(files.map((file) => [file, join(outdir, file.replace(/\.ts$/, '.js'))]));
}

/** A source that asks where it lies is told its own place, not the bundle's. */
const ownPlace = {
  name: 'own place',
  setup({ onLoad }) {
    onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      const own = { url: pathToFileURL(path).href, dirname: dirname(path) };
      const text = await readFile(path, 'utf8');
      // In quotes it is a word about the expression.
      const contents = text.replace(/(?<!['"`])import\.meta\.(url|dirname)\b/g, (_, name) =>
        JSON.stringify(own[name]),
      );
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

/** What is installed stays outside, named by where its importer finds it, except for tap and all that it needs. */
const installedPackages = (withTap) => ({
  name: 'installed packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      if (pluginData === 'asked' || path.startsWith('node:') || path.startsWith('@cortexfs/')) return;
      if (withTap && (path === 'tap' || importer.includes('/node_modules/'))) return;
      if (kind === 'entry-point') return;
      const found = await resolve(path, { importer, kind, resolveDir, pluginData: 'asked' });
      if (found.errors.length > 0) return { errors: found.errors };
      return { path: found.path, external: true };
    });
  },
});
