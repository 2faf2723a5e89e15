import { statSync } from 'node:fs';
import t from 'tap';
import { entryOf } from '../../filesystem/entry.ts';

t.test('times that no calendar can write are moved to its end', async (t) => {
  const stat = statSync('/');
  stat.mtimeMs = 1e20;
  t.equal(entryOf('x', stat).mtime, '+275760-09-13T00:00:00.000Z');
  stat.mtimeMs = -1e20;
  t.equal(entryOf('x', stat).mtime, '-271821-04-20T00:00:00.000Z');
});
