import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { makeSite, type TestSite } from '../site.ts';
import { runScript } from './run.ts';

const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=n', '-c', 'user.email=e@example.org', '-c', 'init.defaultBranch=main', ...args],
    { cwd, stdio: 'pipe' },
  );

/** Attempts that must fail, each with `|| true`, and then an allowed one. */
const attack = (site: TestSite, ...lines: string[]) =>
  runScript(
    site,
    `${lines.map((line) => `(${line}) 2>/dev/null && echo "DID: ${line.replaceAll('"', '')}"`).join('\n')}\necho new > README.md && echo allowed`,
  );

t.test('hooks and configuration of the repository cannot be written, moved or replaced', async (t) => {
  const site = makeSite(t);
  git(site.workspace, 'init', '-q');
  const config = readFileSync(join(site.workspace, '.git/config'), 'utf8');
  const { stdout } = await attack(
    site,
    'echo evil > .git/hooks/pre-commit',
    'echo evil >> .git/config',
    'mv .git .old',
    'rm -rf .git/hooks/* ; ! test -e .git/hooks/pre-commit.sample',
    'rmdir .git/refs/tags',
    'ln -sf /tmp .git',
    'ln .git/config config-link && echo evil > config-link',
    'mount -o remount,rw .git',
    'chmod 777 .git',
  );
  t.equal(stdout, 'allowed\n');
  t.equal(readFileSync(join(site.workspace, '.git/config'), 'utf8'), config);
  t.equal(
    readFileSync(join(site.workspace, 'README.md'), 'utf8'),
    'new\n',
    'the workspace itself is writable',
  );
});

t.test('a nested repository is protected, and so are the directories that lead to it', async (t) => {
  const site = makeSite(t);
  mkdirSync(join(site.workspace, 'a/b'), { recursive: true });
  git(join(site.workspace, 'a/b'), 'init', '-q');
  const { stdout } = await attack(
    site,
    'echo evil > a/b/.git/hooks/pre-commit',
    'echo evil >> a/b/.git/config',
    'mv a/b a/c && cp -r a/c a/b',
    'mv a z',
    'rm -rf a',
  );
  t.equal(stdout, 'allowed\n');
  const inside = await runScript(
    site,
    'echo x > a/b/file && mkdir a/new && mv a/b/file a/b/renamed && cat a/b/renamed',
  );
  t.equal(inside.stdout, 'x\n', 'its working tree can be written');
  t.ok(existsSync(join(site.workspace, 'a/b/.git/HEAD')));
});

t.test('a linked worktree: its .git file stays, its repository is shown read-only, git works', async (t) => {
  const site = makeSite(t);
  const main = join(site.base, 'main');
  mkdirSync(main);
  git(main, 'init', '-q');
  git(main, 'commit', '-q', '--allow-empty', '-m', 'first');
  rmSync(site.workspace, { recursive: true });
  git(main, 'worktree', 'add', '-q', site.workspace);
  writeFileSync(join(site.workspace, 'README.md'), '');
  const pointer = readFileSync(join(site.workspace, '.git'), 'utf8');
  const { stdout } = await attack(
    site,
    'echo "gitdir: /tmp/evil" > .git',
    'mv .git .old',
    'rm .git',
    `echo evil > ${main}/.git/hooks/pre-commit`,
    `echo evil >> ${main}/.git/config`,
    `echo evil > ${main}/.git/worktrees/workspace/HEAD`,
  );
  t.equal(stdout, 'allowed\n');
  t.equal(readFileSync(join(site.workspace, '.git'), 'utf8'), pointer);
  const log = await runScript(site, 'git log --oneline; ls -A ..');
  t.match(log.stdout, 'first');
});

t.test('a .git file that does not point back shows nothing and is still protected', async (t) => {
  const site = makeSite(t);
  const secrets = join(site.base, 'secrets');
  mkdirSync(secrets);
  writeFileSync(join(secrets, 'HEAD'), 'do-not-show');
  writeFileSync(join(site.workspace, '.git'), `gitdir: ${secrets}\n`);
  const { stdout, notes } = await attack(site, `cat ${secrets}/HEAD`, 'echo x > .git', 'rm .git');
  t.equal(stdout, 'allowed\n');
  t.match(notes, [/points back/]);
});

t.test('an invented worktree directory cannot bring its neighbour along', async (t) => {
  const site = makeSite(t);
  const [secrets, fake] = [join(site.base, 'secrets'), join(site.base, 'fake')];
  mkdirSync(secrets);
  mkdirSync(fake);
  writeFileSync(join(secrets, 'key'), 'do-not-show');
  writeFileSync(join(fake, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(fake, 'commondir'), '../secrets\n');
  writeFileSync(join(fake, 'gitdir'), `${site.workspace}/.git\n`);
  writeFileSync(join(site.workspace, '.git'), `gitdir: ${fake}\n`);
  const { stdout } = await attack(site, `cat ${secrets}/key`, `ls ${fake}`);
  t.equal(stdout, 'allowed\n');
});

t.test('a submodule and a separate git directory inside the workspace', async (t) => {
  const site = makeSite(t);
  const sub = join(site.base, 'sub');
  mkdirSync(sub);
  git(sub, 'init', '-q');
  git(sub, 'commit', '-q', '--allow-empty', '-m', 'first');
  git(site.workspace, 'init', '-q');
  git(site.workspace, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub, 'vendor/sub');
  const { stdout } = await attack(
    site,
    'echo evil > .git/modules/vendor/sub/hooks/pre-commit',
    'echo x > vendor/sub/.git',
    'mv vendor away',
  );
  t.equal(stdout, 'allowed\n');
});

t.test('a .git that is a link shuts the directory that holds it', async (t) => {
  const site = makeSite(t);
  mkdirSync(join(site.workspace, 'sub'));
  mkdirSync(join(site.workspace, 'real.git'));
  symlinkSync('../real.git', join(site.workspace, 'sub/.git'));
  const { stdout, notes } = await attack(
    site,
    'ln -sfn /tmp sub/.git',
    'rm sub/.git',
    'echo x > sub/file',
    'mv sub other',
  );
  t.equal(stdout, 'allowed\n');
  t.match(notes, ['/workspace/sub is read-only: its .git is a symbolic link']);
});

t.test('hard links cannot be made to what is read-only', async (t) => {
  const site = makeSite(t);
  git(site.workspace, 'init', '-q');
  const { stdout } = await attack(
    site,
    'ln .git/config x',
    'ln /usr/bin/env x',
    'ln /ctx/status x',
    'ln /home/agent/session x',
    'ln /proc/self/fd/0 x',
  );
  t.equal(stdout, 'allowed\n');
  linkSync(join(site.workspace, 'README.md'), join(site.workspace, 'inner'));
  const inner = await runScript(site, 'ln README.md another && cat another');
  t.equal(inner.stdout, 'new\n', 'within the workspace links are fine');
});

t.test('read permission alone makes it read-only, none makes it absent', async (t) => {
  const readOnly = await runScript(
    makeSite(t, { policy: 'allow coder_t mount:workspace read\n' }),
    'cat README.md; (echo x > README.md) 2>/dev/null && echo WROTE; pwd',
  );
  t.equal(readOnly.stdout, 'hello\n/workspace\n');
  const absent = await runScript(makeSite(t, { policy: '' }), 'ls -d /workspace 2>/dev/null; pwd');
  t.equal(absent.stdout, '/home/agent\n');
  const other = await runScript(
    makeSite(t, { policy: 'allow other_t mount:workspace write\n' }),
    'ls -d /workspace 2>/dev/null; pwd',
  );
  t.equal(other.stdout, '/home/agent\n', "another subject's rule grants nothing");
});

t.test('places that are no workspace', async (t) => {
  const site = makeSite(t);
  const home = join(site.base, 'me');
  mkdirSync(join(home, 'project'), { recursive: true });
  const oldHome = process.env['HOME'];
  process.env['HOME'] = home;
  t.teardown(() => {
    process.env['HOME'] = oldHome;
  });
  symlinkSync('/etc', join(site.base, 'innocent'));
  for (const workspace of [
    '/',
    '/etc',
    '/proc',
    '/run',
    '/usr/share',
    home,
    site.base,
    site.store,
    `${site.store}/agent/coder.d`,
    `${site.root}/.view`,
    join(site.base, 'innocent'),
  ]) {
    await t.rejects(
      runScript(site, 'true', { workspace }),
      { code: 'EACCES', hint: /--workspace/ },
      workspace,
    );
  }
  await t.rejects(runScript(site, 'true', { workspace: join(site.base, 'missing') }), { code: 'ENOENT' });
  await t.rejects(runScript(site, 'true', { workspace: join(site.workspace, 'README.md') }), {
    code: 'ENOTDIR',
  });
  t.equal((await runScript(site, 'pwd', { workspace: join(home, 'project') })).stdout, '/workspace\n');
});

t.test('a workspace swapped for a link while the sandbox is built never gets in', async (t) => {
  const site = makeSite(t);
  const secrets = join(site.base, 'secrets');
  mkdirSync(secrets);
  writeFileSync(join(secrets, 'README.md'), 'do-not-show\n');
  const aside = join(site.base, 'aside');
  // In another process, as fast as it can: the real directory, then a link to the secrets, and back.
  const swap = `const { renameSync, symlinkSync, rmSync } = require('node:fs');
    for (const end = Date.now() + 8000; Date.now() < end;) try { renameSync('${site.workspace}', '${aside}'); symlinkSync('${secrets}', '${site.workspace}'); rmSync('${site.workspace}'); renameSync('${aside}', '${site.workspace}'); } catch {}`;
  const { spawn } = await import('node:child_process');
  const swapper = spawn(process.execPath, ['-e', swap], { stdio: 'ignore' });
  t.teardown(() => swapper.kill('SIGKILL'));
  const seen = new Set<string>();
  for (let round = 0; round < 25; round++) {
    try {
      seen.add((await runScript(site, 'cat README.md')).stdout);
    } catch (error) {
      seen.add((error as NodeJS.ErrnoException).code ?? String(error));
    }
  }
  swapper.kill('SIGKILL');
  // Whoever names a link as the workspace gets what it leads to: what must not happen is one judged and another shown.
  t.notOk(
    [...seen].some((one) => !['hello\n', 'do-not-show\n', 'EAGAIN', 'ENOENT', 'EIO', 'EACCES'].includes(one)),
    [...seen].join(' '),
  );
});

t.test('an exchange between judgement and mount is noticed', async (t) => {
  const site = makeSite(t);
  const secrets = join(site.base, 'secrets');
  mkdirSync(secrets);
  const { planSandbox } = await import('../../src/sandbox/plan.ts');
  const { startBubblewrap } = await import('../../src/sandbox/bubblewrap.ts');
  const { requireSameMounts, untilHeld } = await import('../../src/sandbox/held.ts');
  const { specOf } = await import('./run.ts');
  const spec = specOf(site, ['/bin/cat', '/workspace/README.md']);
  const plan = planSandbox(spec);
  renameSync(site.workspace, join(site.base, 'aside'));
  symlinkSync(secrets, site.workspace);
  const started = startBubblewrap('/usr/bin/bwrap', plan, spec);
  const { pid } = await untilHeld(started);
  t.throws(() => requireSameMounts(pid, plan.steps), {
    code: 'EAGAIN',
    message: /changed while the sandbox was built/,
  });
  started.kill();
  await started.exited;
});
