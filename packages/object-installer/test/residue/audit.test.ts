import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import t from 'tap';
import { atScale } from '../../../../setup/test-scale.ts';
import { audit } from '../../src/residue/audit.ts';
import { cleanupPlace } from '../../src/residue/names.ts';
import { MAX_ENTRIES } from '../../src/residue/tree.ts';
import { ObjectFolder } from '../object-folder.ts';
import { installIn } from '../support/commands.ts';
import { siteFor, treeOf } from '../support/store.ts';

t.test('residue of every kind, wherever it lies, and nothing else', async (t) => {
  const site = siteFor(t);
  await installIn(site, site.manifest('1.0.0'));
  const paths = {
    'agent/.ctx-rollback-1': 'rollback false',
    'home/7/agent/.cortexfs-install-h': 'install true',
    'home/7/tool/.cortexfs-install-g': 'install true',
    'home/7/tool/deep/.cortexfs-install-f': 'install false',
    'shared/.cortexfs-install-e': 'install false',
    'tool/.cortexfs-cleanup-d': 'cleanup false',
    'tool/.cortexfs-install-': 'install false',
    'tool/.cortexfs-install-b': 'install true',
    'tool/.cortexfs-install-b/.cortexfs-install-c': 'install false',
  };
  for (const path of Object.keys(paths)) mkdirSync(join(site.store, path), { recursive: true });
  mkdirSync(join(site.store, 'tool/cortexfs-install-x'));
  writeFileSync(join(site.store, 'tool/.cortexfs-write-0'), '');
  const before = treeOf(site.store);
  const { residue, incomplete, entries } = audit(site.store);
  t.same(
    Object.fromEntries(residue.map(({ path, kind, removable }) => [path, `${kind} ${removable}`])),
    paths,
  );
  const { dev, ino } = lstatSync(join(site.store, 'tool/.cortexfs-install-b'), { bigint: true });
  t.same(residue.find(({ path }) => path === 'tool/.cortexfs-install-b')?.inode, { dev, ino });
  t.same(incomplete, []);
  t.equal(entries, before.length);
  t.same(treeOf(site.store), before, 'nothing was changed');
});

t.test('a file or a link of such a name is residue, but not for cleanup', async (t) => {
  const site = siteFor(t);
  const outside = new ObjectFolder(t);
  mkdirSync(join(site.store, 'tool'));
  writeFileSync(join(site.store, 'tool/.cortexfs-install-file'), '');
  symlinkSync(outside.path, join(site.store, 'tool/.cortexfs-install-link'));
  execFileSync('mkfifo', [join(site.store, 'tool/.cortexfs-install-pipe')]);
  symlinkSync(outside.path, join(site.store, 'elsewhere'));
  const { residue } = audit(site.store);
  t.same(
    residue.map(({ type, removable }) => [type, removable]),
    [
      ['file', false],
      ['symlink', false],
      ['other', false],
    ],
  );
});

t.test('controls without their executable are told, other lone controls are not', async (t) => {
  for (const tier of ['user', 'system'] as const) {
    const site = siteFor(t, tier);
    await installIn(site, site.manifest('1.0.0'));
    await installIn(site, site.manifest('1.0.0', undefined, { name: 'whole' }));
    unlinkSync(site.at('example.echo'));
    mkdirSync(site.at('builtin.d'));
    t.match(audit(site.store), {
      residue: [],
      incomplete: [{ path: `${site.place}/example.echo.d`, class: 'tool', name: 'example.echo', tier }],
    });
  }
});

t.test('names that are not UTF-8', async (t) => {
  const site = siteFor(t);
  mkdirSync(Buffer.concat([Buffer.from(`${site.store}/.cortexfs-install-`), Buffer.from([0xff])]));
  mkdirSync(Buffer.concat([Buffer.from(`${site.store}/`), Buffer.from([0xfe])]));
  t.match(audit(site.store), {
    residue: [{ path: '.cortexfs-install-\ufffd', removable: false }],
    entries: 2,
  });
});

t.test('64 levels and no more', async (t) => {
  const site = siteFor(t);
  mkdirSync(join(site.store, Array(63).fill('d').join('/'), 'x'), { recursive: true });
  rmSync(join(site.store, Array(63).fill('d').join('/'), 'x'), { recursive: true });
  writeFileSync(join(site.store, Array(63).fill('d').join('/'), 'file'), '');
  t.equal(audit(site.store).entries, 64);
  mkdirSync(join(site.store, Array(64).fill('d').join('/')));
  t.throws(() => audit(site.store), { code: 'EFBIG', message: /deeper than 64 levels: nothing is reported/ });
});

t.test('100,000 entries and no more', async (t) => {
  t.equal(MAX_ENTRIES, 100_000);
  const limit = atScale(MAX_ENTRIES, 1000);
  const site = siteFor(t);
  execFileSync('/bin/sh', ['-c', `seq 1 ${limit} | xargs touch`], { cwd: site.store });
  t.equal(audit(site.store, limit).entries, limit);
  mkdirSync(join(site.store, 'tool'));
  t.throws(() => audit(site.store, limit), { code: 'EFBIG' });
});

t.test('where it cannot look it reports nothing at all', async (t) => {
  const site = siteFor(t);
  mkdirSync(join(site.store, 'tool/.cortexfs-install-a'), { recursive: true });
  mkdirSync(join(site.store, 'shared/closed'), { recursive: true });
  t.equal(audit(site.store).residue.length, 1);
  chmodSync(join(site.store, 'shared/closed'), 0o000);
  // No mode stops root, so that root looks with the eyes of nobody.
  const root = process.geteuid!() === 0;
  if (root) process.seteuid!(65_534);
  try {
    t.throws(() => audit(site.store), { code: 'EACCES', path: 'shared/closed' });
  } finally {
    if (root) process.seteuid!(0);
    chmodSync(join(site.store, 'shared/closed'), 0o755);
  }
});

t.test('which paths cleanup takes', async (t) => {
  const taken = ['tool', 'agent', 'home/0/tool', 'home/4294967294/agent'];
  for (const place of taken)
    t.same(cleanupPlace(`${place}/.cortexfs-install-a`), { directory: place, name: '.cortexfs-install-a' });
  const refused = [
    '.cortexfs-install-a',
    '/tool/.cortexfs-install-a',
    './tool/.cortexfs-install-a',
    'tool//.cortexfs-install-a',
    'tool/../tool/.cortexfs-install-a',
    'tool/.cortexfs-install-a/',
    'tool/.cortexfs-install-a/b',
    'tool/.cortexfs-install-',
    'tool/.cortexfs-cleanup-a',
    'tool/.ctx-rollback-a',
    'tool/example.echo',
    'tool/..',
    'model/.cortexfs-install-a',
    'home/tool/.cortexfs-install-a',
    'home/01/tool/.cortexfs-install-a',
    'home/x/tool/.cortexfs-install-a',
    'home/1/model/.cortexfs-install-a',
    'home/1/agent/coder/.cortexfs-install-a',
    '',
  ];
  for (const path of refused) t.equal(cleanupPlace(path), undefined, path);
});

t.test('an audit through a link at the store itself is where the caller says', async (t) => {
  const site = siteFor(t);
  symlinkSync(site.store, join(site.folder, 'link'));
  t.equal(audit(join(site.folder, 'link')).entries, 0);
  t.throws(() => audit(join(site.folder, 'none')), CortexError);
});
