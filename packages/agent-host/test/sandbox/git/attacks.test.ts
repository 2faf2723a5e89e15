import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { makeSite, type TestSite } from '../../site.ts';
import { runScript } from '../run.ts';

const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=n', '-c', 'user.email=e@example.org', '-c', 'init.defaultBranch=main', ...args],
    { cwd, stdio: 'pipe' },
  );

/** Writes that must fail, and an allowed one after them. */
async function attack(site: TestSite, ...paths: string[]) {
  const lines = paths.map((path) => `echo evil >> ${path} && echo "WROTE ${path}"`);
  const { stdout } = await runScript(
    site,
    `(${lines.join('\n')}) 2>/dev/null\necho mine > allowed.txt && cat allowed.txt`,
  );
  for (const path of paths) {
    const file = join(site.workspace, path);
    if (existsSync(file) && readFileSync(file, 'utf8').includes('evil'))
      throw new Error(`${path} was written`);
  }
  return stdout;
}

t.test('a bare repository behind a .git file, with worktrees beside it', async (t) => {
  const site = makeSite(t);
  const { workspace } = site;
  git(workspace, 'init', '-q', '--bare', '.bare');
  writeFileSync(join(workspace, '.git'), 'gitdir: ./.bare\n');
  mkdirSync(join(workspace, 'tree'));
  mkdirSync(join(workspace, '.bare/worktrees/tree'), { recursive: true });
  for (const [file, text] of [
    ['.bare/worktrees/tree/HEAD', 'ref: refs/heads/main\n'],
    ['.bare/worktrees/tree/commondir', '../..\n'],
    ['.bare/worktrees/tree/gitdir', `${workspace}/tree/.git\n`],
    ['tree/.git', `gitdir: ${workspace}/.bare/worktrees/tree\n`],
  ] as const)
    writeFileSync(join(workspace, file), text);
  const out = await attack(
    site,
    '.git',
    '.bare/hooks/pre-commit',
    '.bare/config',
    '.bare/worktrees/tree/config.worktree',
    '.bare/worktrees/new',
    'tree/.git',
  );
  t.equal(out, 'mine\n');
  const { notes } = await runScript(site, 'true');
  t.strictSame(
    notes.filter((note) => note.includes('read-only')),
    ['/workspace/.bare is read-only: it is a git repository'],
    'told once',
  );
});

t.test('bare repositories that lie in the workspace: a push to them runs their hooks', async (t) => {
  const site = makeSite(t);
  mkdirSync(join(site.workspace, 'remotes'));
  git(site.workspace, 'init', '-q', '--bare', 'remotes/origin.git');
  const out = await attack(site, 'remotes/origin.git/hooks/post-receive', 'remotes/origin.git/config');
  t.equal(out, 'mine\n');
});

t.test('what is beside a protected worktree or submodule in the same git directory', async (t) => {
  const site = makeSite(t);
  const { workspace } = site;
  git(workspace, 'init', '-q');
  git(workspace, 'commit', '-q', '--allow-empty', '-m', 'x');
  git(workspace, 'worktree', 'add', '-q', 'tree');
  mkdirSync(join(workspace, 'sub'));
  for (const name of ['sub', 'gone']) git(workspace, 'init', '-q', '--bare', `.git/modules/${name}`);
  git(workspace, '--git-dir=.git/modules/sub', 'config', 'core.worktree', '../../../sub');
  writeFileSync(join(workspace, 'sub/.git'), 'gitdir: ../.git/modules/sub\n');
  const out = await attack(
    site,
    '.git/modules/sub/hooks/pre-commit',
    '.git/modules/gone/hooks/pre-commit',
    '.git/modules/new',
    '.git/worktrees/new',
    '.git/worktrees/tree/commondir',
  );
  t.equal(out, 'mine\n');
});

t.test('hooks and configuration that lie elsewhere, by a setting or a link', async (t) => {
  const site = makeSite(t);
  const { workspace } = site;
  git(workspace, 'init', '-q');
  for (const folder of ['tools/hooks', 'scripts', 'nested', 'real'])
    mkdirSync(join(workspace, folder), { recursive: true });
  for (const file of ['scripts/check', 'scripts/other', '.gitsettings'])
    writeFileSync(join(workspace, file), '');
  git(workspace, 'config', 'core.hooksPath', 'tools/hooks');
  git(workspace, 'config', 'include.path', '../.gitsettings');
  symlinkSync('../../scripts/check', join(workspace, '.git/hooks/pre-push'));
  git(join(workspace, 'real'), 'init', '-q', '--separate-git-dir', '../store');
  symlinkSync('../store', join(workspace, 'nested/.git'));
  const out = await attack(
    site,
    'tools/hooks/pre-commit',
    '.gitsettings',
    'scripts/check',
    'store/hooks/pre-commit',
    'store/config',
    'nested/file',
  );
  t.equal(out, 'mine\n');
  const { stdout, notes } = await runScript(site, 'echo fine > scripts/other && cat scripts/other');
  t.equal(stdout, 'fine\n', 'other files beside a hook stay writable');
  t.match(notes.join('\n'), '/workspace/tools/hooks is read-only: git uses it');
});

t.test('a git directory in an installed package does not open the package', async (t) => {
  const site = makeSite(t);
  git(site.workspace, 'init', '-q');
  mkdirSync(join(site.workspace, '.git/hooks/deep/er'), { recursive: true });
  git(join(site.workspace, '.git/hooks/deep/er'), 'init', '-q');
  t.equal(await attack(site, '.git/hooks/deep/file', '.git/hooks/pre-commit'), 'mine\n');
});

t.test('thousands of directories do not hide a repository that was known', async (t) => {
  const site = makeSite(t);
  mkdirSync(join(site.workspace, 'project/part'), { recursive: true });
  git(join(site.workspace, 'project/part'), 'init', '-q');
  t.equal(await attack(site, 'project/part/.git/config'), 'mine\n');
  const { notes } = await runScript(site, 'mkdir aaa && cd aaa && seq 5100 | xargs mkdir');
  t.strictSame(notes, []);
  t.equal(await attack(site, 'project/part/.git/hooks/pre-commit', 'project/part/.git/config'), 'mine\n');
  t.match((await runScript(site, 'rm -rf aaa')).notes, [/cut short/]);
  t.strictSame((await runScript(site, 'true')).notes, []);
});
