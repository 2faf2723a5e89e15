import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { gitProtection } from '../../../src/sandbox/git/protection.ts';
import { scanForGit } from '../../../src/sandbox/git/scan.ts';
import { temporaryDirectory } from '../../temporary.ts';

function tree(t: Parameters<typeof temporaryDirectory>[0], ...directories: string[]): string {
  const root = temporaryDirectory(t);
  for (const directory of directories) mkdirSync(join(root, directory), { recursive: true });
  return root;
}

t.test('directories, files and links named .git, nearest first, dependencies last', async (t) => {
  const root = tree(t, 'node_modules/dep/.git', 'a/b/.git/hooks/.git', '.git', 'w');
  writeFileSync(join(root, 'w/.git'), 'gitdir: /nowhere');
  symlinkSync('/etc', join(root, 'a/.git'));
  t.same(scanForGit(root), {
    cutShort: false,
    entries: [
      { path: '.git', kind: 'directory' },
      { path: 'a/.git', kind: 'link' },
      { path: 'w/.git', kind: 'file' },
      { path: 'a/b/.git', kind: 'directory' },
      { path: 'node_modules/dep/.git', kind: 'directory' },
    ],
  });
});

t.test('links are not followed, so that a circle is no circle', async (t) => {
  const root = tree(t, 'a');
  symlinkSync('..', join(root, 'a/up'));
  symlinkSync('/', join(root, 'a/root'));
  t.same(scanForGit(root), { cutShort: false, entries: [] });
});

t.test('the limit is exact, and reaching it is told', async (t) => {
  const root = tree(t, 'a', 'b', 'c/d/.git');
  t.equal(
    scanForGit(root, { directories: 5, milliseconds: 10_000 }).cutShort,
    false,
    'the root and four below',
  );
  t.same(scanForGit(root, { directories: 4, milliseconds: 10_000 }), { cutShort: true, entries: [] });
  t.equal(scanForGit(root, { directories: 5000, milliseconds: -1 }).cutShort, true);
  const { notes } = gitProtection(root, { entries: [], cutShort: true });
  t.match(notes, [/cut short/]);
});

t.test('what cannot be read is passed over', async (t) => {
  t.same(scanForGit(join(tree(t), 'missing')), { cutShort: false, entries: [] });
});
