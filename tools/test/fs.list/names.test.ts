import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { fromBytes } from '../../filesystem/descriptor.ts';
import { pageOfNames } from '../../fs.list/names.ts';
import { scratch } from '../scratch.ts';

const byte = fc.integer({ min: 1, max: 255 }).filter((value) => value !== 0x2f && value !== 0x2e);
const rawName = fc
  .uint8Array({ minLength: 1, maxLength: 4 })
  .map((bytes) => Buffer.from(bytes))
  .filter(usable);

function usable(name: Buffer): boolean {
  return !name.includes(0) && !name.includes(0x2f) && !/^\.\.?$/.test(name.toString('latin1'));
}

t.test('pages put together are all names once, in order, whatever bytes they hold', async (t) => {
  let round = 0;
  const dir = scratch(t);
  const names = fc.uniqueArray(
    fc.oneof(
      rawName,
      fc.array(byte, { minLength: 1, maxLength: 2 }).map((b) => Buffer.from(b)),
    ),
    {
      maxLength: 40,
      selector: (name) => name.toString('latin1'),
    },
  );
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 7 }), (raw, size) => {
      const folder = `${dir}/${round++}`;
      mkdirSync(folder);
      for (const name of raw) writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), '');
      const fd = openSync(folder, 'r');
      const seen: string[] = [];
      try {
        for (let after = '', more = true; more; ) {
          const page = pageOfNames(fd, after, size);
          if (page.more && page.last === after) return false;
          seen.push(...page.names);
          ({ more, last: after } = page);
        }
      } finally {
        closeSync(fd);
      }
      const expected = raw.map((name) => name.toString('latin1')).sort();
      return (
        JSON.stringify([...seen].sort()) === JSON.stringify(expected) && new Set(seen).size === seen.length
      );
    }),
    { numRuns: 60 },
  );
});

t.test('order is that of the UTF-8 bytes', async (t) => {
  const dir = scratch(t);
  for (const name of ['b', 'B', 'ä', 'a', '😀', '\uffee', '10', '9']) writeFileSync(`${dir}/${name}`, '');
  const fd = openSync(dir, 'r');
  t.teardown(() => closeSync(fd));
  const page = pageOfNames(fd, '', 100);
  t.same(page.names.map(fromBytes), ['10', '9', 'B', 'a', 'b', 'ä', '\uffee', '😀']);
  t.notOk(page.more);
});
