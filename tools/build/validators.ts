import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolModule } from './module.ts';

// One generated module a tool: its input check, compiled here so that no schema is compiled at run time.
const toolsDir = join(import.meta.dirname, '..');
const outDir = join(toolsDir, 'generated');
mkdirSync(outDir, { recursive: true });
for (const folder of readdirSync(toolsDir, { withFileTypes: true })) {
  if (!folder.isDirectory()) continue;
  const schema = readIfThere(join(toolsDir, folder.name, 'schema'));
  if (schema === undefined) continue;
  const description = readFileSync(join(toolsDir, folder.name, 'description'), 'utf8').trim();
  const { code, types } = toolModule(description, JSON.parse(schema));
  writeFileSync(join(outDir, `${folder.name}.js`), code);
  writeFileSync(join(outDir, `${folder.name}.d.ts`), types);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw err;
  }
}
