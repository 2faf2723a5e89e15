import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkout } from './checkout.mjs';

/** Fills dist/bin with a runnable link for each bin that a package declares. */
export function linkBins() {
  const folder = join(checkout, 'dist/bin');
  mkdirSync(folder, { recursive: true });
  for (const [name, target] of declaredBins()) {
    chmodSync(target, 0o755);
    rmSync(join(folder, name), { force: true });
    symlinkSync(relative(folder, target), join(folder, name));
  }
}

/** [name, absolute path of the built file] of every bin under packages/. */
function declaredBins() {
  return readdirSync(join(checkout, 'packages')).flatMap((folder) => {
    const home = join(checkout, 'packages', folder);
    const { bin = {} } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    return Object.entries(bin).map(([name, path]) => [name, join(home, path)]);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) linkBins();
