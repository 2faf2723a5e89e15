import { lstatSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { renameExchange, renameNoReplace } from '../src/rename.ts';

t.test('never renames over anything', (t) => {
  const dir = t.testdir({ a: 'a', b: 'b', folder: {} });
  symlinkSync('nowhere', join(dir, 'dangling'));
  for (const name of ['b', 'folder', 'dangling']) {
    t.throws(() => renameNoReplace(join(dir, 'a'), join(dir, name)), {
      code: 'EEXIST',
      syscall: 'renameat2',
    });
  }
  renameNoReplace(join(dir, 'a'), join(dir, 'c'));
  t.equal(readFileSync(join(dir, 'c'), 'utf8'), 'a');
  t.throws(() => renameNoReplace(join(dir, 'a'), join(dir, 'd')), { code: 'ENOENT' });
  t.end();
});

t.test('swaps two names, of different kinds too', (t) => {
  const dir = t.testdir({ a: 'a', folder: { x: 'x' } });
  symlinkSync('nowhere', join(dir, 'link'));
  renameExchange(join(dir, 'a'), join(dir, 'folder'));
  t.equal(readFileSync(join(dir, 'a/x'), 'utf8'), 'x');
  t.equal(readFileSync(join(dir, 'folder'), 'utf8'), 'a');
  renameExchange(join(dir, 'folder'), join(dir, 'link'));
  t.equal(readlinkSync(join(dir, 'folder')), 'nowhere');
  t.ok(lstatSync(join(dir, 'link')).isFile());
  t.throws(() => renameExchange(join(dir, 'link'), join(dir, 'missing')), { code: 'ENOENT' });
  t.end();
});

t.test('names are passed as UTF-8', (t) => {
  const dir = t.testdir({ 'ä 文件 🗎': 'x' });
  renameNoReplace(join(dir, 'ä 文件 🗎'), join(dir, '新'));
  t.equal(readFileSync(join(dir, '新'), 'utf8'), 'x');
  t.end();
});
