// node examples/build.mjs: makes one executable of each TypeScript example, and writes the SHA-256 of every executable into its
// manifest. With --check nothing is written: exit 1 when something is out of date.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

const check = process.argv.includes('--check');
let stale = 0;

for (const name of readdirSync(import.meta.dirname)
  .filter((entry) => !entry.includes('.'))
  .sort()) {
  const folder = join(import.meta.dirname, name);
  const source = join(folder, `${name}.ts`);
  if (existsSync(source)) update(join(folder, name), executable(readFileSync(source, 'utf8')), 0o755);
  const manifest = join(folder, 'object.json');
  const text = readFileSync(manifest, 'utf8');
  const sha256 = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex');
  update(manifest, text.replace(/"sha256": "[0-9a-f]*"/, `"sha256": "${sha256}"`), 0o644);
}
process.exitCode = stale > 0 ? 1 : 0;

/** The source without its types: one file that every Node from 20.19 on runs. */
function executable(source) {
  return `#!/usr/bin/env node\n${transformSync(source, { loader: 'ts', format: 'esm', target: 'node20' }).code}`;
}

function update(file, text, mode) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  stale++;
  process.stdout.write(`${check ? 'out of date' : 'wrote'}: ${file}\n`);
  if (check) return;
  writeFileSync(file, text);
  chmodSync(file, mode);
}
