import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { VERSION } from '../src/version.ts';

t.test('the version is that of the package', async (t) => {
  const file = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8');
  t.equal(VERSION, (JSON.parse(file) as { version: string }).version);
});
