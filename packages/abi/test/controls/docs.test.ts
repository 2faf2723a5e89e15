import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { AUTHORITY_LAYERS } from '../../src/authority/verdict.ts';
import { codecFor, controlEntry, controlNames, OBJECT_CLASSES } from '../../src/controls/registry.ts';
import { PERMISSIONS } from '../../src/policy.ts';

const page = (name: string) => readFileSync(join(import.meta.dirname, '../../../../docs', name), 'utf8');

/** The cells of the table rows below a heading. */
function rowsBelow(text: string, heading: string): string[][] {
  const part = text.slice(text.indexOf(heading) + heading.length).split(/^#/m)[0]!;
  const rows = [...part.matchAll(/^\|( `.*)\|$/gm)].map(([, row]) => row!.split('|'));
  return rows.map((row) => row.map((cell) => cell.trim()));
}
const unquoted = (cell: string) => cell.replaceAll('`', '');

for (const objectClass of OBJECT_CLASSES) {
  t.test(
    `controls.md tells every control of a ${objectClass}, who writes it and whether it is required`,
    async (t) => {
      const heading = { agent: '## Agents', tool: '## Tools', model: '## Models' }[objectClass];
      const rows = rowsBelow(page('controls.md'), heading);
      t.same(
        rows.map(([name]) => unquoted(name!)),
        controlNames(objectClass),
      );
      for (const [cell, , defaultCell, writer, example] of rows) {
        const name = unquoted(cell!);
        const entry = controlEntry(objectClass, name)!;
        t.equal(writer, entry.writer, `${name}: writer`);
        t.equal(defaultCell!.startsWith('required'), entry.required, `${name}: required`);
        const text = unquoted(example!);
        if (text !== '')
          t.doesNotThrow(() => codecFor(objectClass, name)!.parse(`${text}\n`), `${name}: example`);
      }
    },
  );
}

t.test('the mount table shown is one', async (t) => {
  const example = page('controls.md')
    .split('```\n')
    .find((block) => block.startsWith('/ctx\t'))!;
  t.doesNotThrow(() => codecFor('agent', 'mount')!.parse(example));
});

t.test('policy.md tells every class and its permissions, and its example is a policy', async (t) => {
  const rows = rowsBelow(page('policy.md'), '## Policy');
  t.same(
    Object.fromEntries(
      rows.map(([name, permissions]) => [unquoted(name!), unquoted(permissions!).split(' ')]),
    ),
    PERMISSIONS,
  );
  const example = page('policy.md')
    .split('```\n')
    .find((block) => block.startsWith('# coder'))!;
  t.doesNotThrow(() => codecFor('agent', 'policy')!.parse(example));
});

t.test('authority.md tells the layers in their order', async (t) => {
  t.same(
    rowsBelow(page('authority.md'), '# What').map(([layer]) => unquoted(layer!)),
    AUTHORITY_LAYERS,
  );
});
