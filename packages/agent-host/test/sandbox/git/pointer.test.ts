import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { gitPointer } from '../../../src/sandbox/git/pointer.ts';
import { temporaryDirectory } from '../../temporary.ts';

function place(t: Parameters<typeof temporaryDirectory>[0], files: Readonly<Record<string, string>>): string {
  const root = temporaryDirectory(t);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text.replaceAll('ROOT', root));
  }
  return root;
}

const WORKTREE = {
  'tree/.git': 'gitdir: ROOT/main/.git/worktrees/tree\n',
  'main/.git/worktrees/tree/HEAD': 'ref: refs/heads/x\n',
  'main/.git/worktrees/tree/gitdir': 'ROOT/tree/.git\n',
};

t.test("a linked worktree leads to the main repository's git directory", async (t) => {
  const root = place(t, WORKTREE);
  t.same(gitPointer(join(root, 'tree/.git')), {
    directory: `${root}/main/.git/worktrees/tree`,
    repository: `${root}/main/.git`,
    written: `${root}/main/.git/worktrees/tree`,
  });
});

t.test("a submodule leads to its directory in the superproject's", async (t) => {
  const root = place(t, {
    'super/sub/.git': 'gitdir: ../.git/modules/sub\n',
    'super/.git/modules/sub/HEAD': 'ref: refs/heads/x\n',
    'super/.git/modules/sub/config': '[core]\n\tworktree = ../../../sub\n',
  });
  const directory = `${root}/super/.git/modules/sub`;
  t.same(gitPointer(join(root, 'super/sub/.git')), {
    directory,
    repository: directory,
    written: '../.git/modules/sub',
  });
});

t.test('what does not point back, or only by a detour, leads nowhere', async (t) => {
  const wrong: Readonly<Record<string, string>>[] = [
    { 'main/.git/worktrees/tree/gitdir': 'ROOT/other/.git\n' },
    { 'main/.git/worktrees/tree/gitdir': '' },
    { 'tree/.git': 'gitdir: /etc\n' },
    { 'tree/.git': 'gitdir: ROOT/missing\n' },
    { 'tree/.git': 'ROOT/main/.git/worktrees/tree\n' },
    { 'tree/.git': 'gitdir: ROOT/main/.git/worktrees/tree\nmore\n' },
  ];
  for (const change of wrong) {
    const root = place(t, { ...WORKTREE, ...change });
    t.equal(gitPointer(join(root, 'tree/.git')), undefined, JSON.stringify(change));
  }
  const elsewhere = place(t, {
    'tree/.git': 'gitdir: ROOT/fake\n',
    'fake/HEAD': 'x',
    'fake/gitdir': 'ROOT/tree/.git\n',
    'fake/commondir': '../secrets\n',
  });
  t.equal(gitPointer(join(elsewhere, 'tree/.git')), undefined, 'not below worktrees/ of anything');
  symlinkSync(join(elsewhere, 'tree/.git'), join(elsewhere, 'link'));
  t.equal(gitPointer(join(elsewhere, 'link')), undefined);
});

t.test('no content makes it throw', async (t) => {
  const root = place(t, WORKTREE);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      writeFileSync(join(root, 'tree/.git'), Buffer.concat([Buffer.from('gitdir: '), bytes]));
      return gitPointer(join(root, 'tree/.git')) === undefined;
    }),
  );
});
