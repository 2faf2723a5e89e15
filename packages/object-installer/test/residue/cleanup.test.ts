import { execFileSync, spawn } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { audit } from '../../src/residue/audit.ts';
import { type CleanupOptions, cleanup } from '../../src/residue/cleanup.ts';
import { STEPS } from '../../src/step/lists.ts';
import type { Watcher } from '../../src/step/watcher.ts';
import { ObjectFolder } from '../object-folder.ts';
import { type Site, siteFor, treeOf } from '../support/store.ts';

const PATH = 'tool/.cortexfs-install-a';

function residueIn(site: Site): string {
  const path = join(site.store, PATH);
  mkdirSync(join(path, 'controls/hooks'), { recursive: true });
  writeFileSync(join(path, 'executable'), 'half');
  writeFileSync(join(path, 'controls/cap'), 'text');
  return path;
}

function inodeOf(site: Site, path = PATH) {
  const { dev, ino } = lstatSync(join(site.store, path), { bigint: true });
  return { dev, ino };
}

function clean(site: Site, change: Partial<CleanupOptions> = {}, watcher?: Watcher) {
  const inode = change.inode ?? inodeOf(site);
  return cleanup({ source: site.store, path: PATH, inode, yes: true, ...change }, watcher);
}

t.test('exactly what was named goes; a dry run tells how and changes nothing', async (t) => {
  const site = siteFor(t);
  const outside = new ObjectFolder(t);
  symlinkSync(outside.path, join(residueIn(site), 'controls/link'));
  mkdirSync(join(site.store, 'tool/.cortexfs-install-b'));
  const before = treeOf(site.store);
  const { entries, steps } = await clean(site, { yes: false });
  t.equal(entries, 5);
  t.same(treeOf(site.store), before);
  const taken: string[] = [];
  await clean(site, {}, { afterStep: (name) => taken.push(name) });
  t.same(
    steps.map(({ name }) => name),
    taken,
  );
  t.same(
    taken,
    STEPS.cleanup.map(({ name }) => name),
  );
  t.same(treeOf(site.store), ['tool', 'tool/.cortexfs-install-b']);
  t.ok(readFileSync(outside.at('bin/echo')), 'what the link named is untouched');
});

t.test('names of any bytes, and deep trees', async (t) => {
  const site = siteFor(t);
  const path = residueIn(site);
  writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0xff, 0x0a])]), '');
  mkdirSync(join(path, Array(60).fill('d').join('/')), { recursive: true });
  await clean(site);
  t.same(treeOf(site.store), ['tool']);
});

t.test('another path, another inode, no directory: nothing is touched', async (t) => {
  const site = siteFor(t);
  residueIn(site);
  const inode = inodeOf(site);
  const before = treeOf(site.store);
  await t.rejects(clean(site, { path: 'tool/.cortexfs-cleanup-a', inode }), { code: 'EINVAL' });
  await t.rejects(clean(site, { path: `${PATH}/controls`, inode }), { code: 'EINVAL' });
  await t.rejects(clean(site, { path: `${PATH}x`, inode }), { code: 'ENOENT' });
  await t.rejects(clean(site, { path: 'home/1/tool/.cortexfs-install-a', inode }), { code: 'ENOENT' });
  await t.rejects(clean(site, { inode: { ...inode, ino: inode.ino + 1n } }), { code: 'ESTALE' });
  await t.rejects(clean(site, { inode: { ...inode, dev: inode.dev + 1n } }), { code: 'ESTALE' });
  writeFileSync(join(site.store, 'tool/.cortexfs-install-f'), '');
  const file = 'tool/.cortexfs-install-f';
  await t.rejects(clean(site, { path: file, inode: inodeOf(site, file) }), { code: 'ENOTDIR' });
  rmSync(join(site.store, file));
  t.same(treeOf(site.store), before);
});

t.test('what is no file, link or directory keeps everything', async (t) => {
  const site = siteFor(t);
  execFileSync('mkfifo', [join(residueIn(site), 'controls/fifo')]);
  const before = treeOf(site.store);
  await t.rejects(clean(site), { code: 'ENOTSUP', path: `${PATH}/controls/fifo` });
  t.same(treeOf(site.store), before);
});

t.test('over the limits nothing is touched', async (t) => {
  const site = siteFor(t);
  const path = residueIn(site);
  mkdirSync(join(path, Array(65).fill('d').join('/')), { recursive: true });
  await t.rejects(clean(site), { code: 'EFBIG' });
  t.ok(lstatSync(path).isDirectory());
});

t.test('what was added or exchanged after the plan stops the removal, and the rest goes back', async (t) => {
  const changes: Record<string, (path: string) => void> = {
    'one more entry': (path) => writeFileSync(join(path, 'controls/hooks/more'), 'foreign'),
    'one more entry at the top': (path) => writeFileSync(join(path, 'more'), 'foreign'),
    'another file': (path) => {
      writeFileSync(join(path, '../new'), 'foreign');
      renameSync(join(path, '../new'), join(path, 'controls/cap'));
    },
    'another directory': (path) => {
      mkdirSync(join(path, '../new/inside'), { recursive: true });
      renameSync(join(path, 'controls/hooks'), join(path, '../hooks'));
      renameSync(join(path, '../new'), join(path, 'controls/hooks'));
    },
    'a link in place of a directory': (path) => {
      renameSync(join(path, 'controls/hooks'), join(path, '../hooks'));
      symlinkSync('/etc', join(path, 'controls/hooks'));
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    const site = siteFor(t);
    residueIn(site);
    const inode = inodeOf(site);
    const afterStep = (done: string) => {
      if (done !== 'check-quarantine') return;
      const [quarantine] = treeOf(site.store).filter((path) =>
        /^tool\/\.cortexfs-cleanup-[0-9a-f]+$/.test(path),
      );
      change(join(site.store, quarantine!));
    };
    await t.rejects(clean(site, {}, { afterStep }), { code: /^E(STALE|NOTEMPTY)$/ }, what);
    t.same(inodeOf(site), inode, `${what}: it is back at its name`);
    t.notOk(treeOf(site.store).some((path) => path.includes('.cortexfs-cleanup-')));
    if (what.startsWith('one more')) t.ok(treeOf(site.store).some((path) => path.endsWith('/more')));
    await clean(site);
    t.notOk(
      treeOf(site.store).some((path) => path.startsWith(PATH)),
      `${what}: a second try takes it`,
    );
  }
});

t.test(
  'a residue that is exchanged at the last moment is not removed, and what cannot go back is told',
  async (t) => {
    const site = siteFor(t);
    residueIn(site);
    let quarantine = '';
    const afterStep = (done: string) => {
      if (done !== 'quarantine') return;
      quarantine = treeOf(site.store).find((path) => path.includes('.cortexfs-cleanup-'))!;
      renameSync(join(site.store, quarantine), join(site.store, 'tool/kept'));
      mkdirSync(join(site.store, quarantine, 'foreign'), { recursive: true });
    };
    await t.rejects(clean(site, {}, { afterStep }), { code: 'ESTALE', message: /look at it by hand/ });
    t.ok(treeOf(site.store).includes(`${quarantine}/foreign`));
    t.ok(treeOf(site.store).includes('tool/kept/executable'));
  },
);

t.test('a name that is taken meanwhile: the quarantine stays and is told', async (t) => {
  const site = siteFor(t);
  residueIn(site);
  const afterStep = (done: string) => {
    if (done !== 'check-quarantine') return;
    mkdirSync(join(site.store, PATH));
    const [quarantine] = treeOf(site.store).filter((path) => /cleanup-[0-9a-f]+$/.test(path));
    writeFileSync(join(site.store, quarantine!, 'more'), '');
  };
  await t.rejects(clean(site, {}, { afterStep }), { code: 'ENOTEMPTY', remains: { faults: [/EEXIST/] } });
  t.match(audit(site.store).residue, [{ kind: 'cleanup', removable: false }, { kind: 'install' }]);
});

t.test('a stage in which an installer works is busy', async (t) => {
  const site = siteFor(t);
  const path = residueIn(site);
  // Another process: one holds its own lock twice.
  const holder = spawn('/usr/bin/flock', [path, '/bin/sh', '-c', 'echo locked; read line'], {
    stdio: 'pipe',
  });
  t.teardown(() => holder.kill());
  await new Promise((done) => holder.stdout.once('data', done));
  await t.rejects(clean(site), { code: 'EBUSY' });
  t.ok(lstatSync(path).isDirectory());
  const ended = new Promise((done) => holder.once('exit', done));
  holder.stdin.end('\n');
  await ended;
  await clean(site);
  t.same(treeOf(site.store), ['tool']);
});
