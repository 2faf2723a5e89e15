import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codecFor } from '@cortexfs/abi/controls/registry';
import t from 'tap';
import { builtInTools, loadTool } from '../registry.ts';

const tools = join(import.meta.dirname, '..');
const folders = readdirSync(tools).filter((name) => existsSync(join(tools, name, 'policy')));

t.test('the registry and the folders name the same tools, and every one loads', async (t) => {
  t.same([...builtInTools].sort(), folders.sort());
  for (const name of builtInTools) t.ok(await loadTool(name), name);
});

t.test('other names load nothing', async (t) => {
  for (const name of ['', 'fs', 'fs.readx', '../fs.read', 'toString', '__proto__', 'constructor']) {
    t.equal(await loadTool(name), undefined, name);
  }
});

t.test('every control is what its codec would write', async (t) => {
  for (const folder of folders) {
    for (const control of ['name', 'description', 'cap', 'policy']) {
      const codec = codecFor('tool', control)!;
      const text = readFileSync(join(tools, folder, control), 'utf8');
      t.equal(codec.format(codec.parse(text)), text, `${folder}/${control}`);
    }
    codecFor('tool', 'schema')!.parse(readFileSync(join(tools, folder, 'schema'), 'utf8'));
  }
});
