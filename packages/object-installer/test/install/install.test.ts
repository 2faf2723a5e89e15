import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseObjectReceipt } from '@cortexfs/abi/receipt/object';
import t from 'tap';
import { STEPS } from '../../src/step/lists.ts';
import { ObjectFolder, sha256Of } from '../object-folder.ts';
import { inspectIn, installIn } from '../support/commands.ts';
import { siteFor } from '../support/store.ts';

const modeOf = (path: string) => lstatSync(path).mode & 0o7777;

t.test('a new object, whole, with its receipt, in both tiers', async (t) => {
  for (const tier of ['user', 'system'] as const) {
    const site = siteFor(t, tier);
    const content = '#!/bin/sh\necho hello\n';
    const outcome = await installIn(site, site.manifest('1.0.0', content));
    t.match(outcome, {
      valid: true,
      done: true,
      object: { path: `${site.place}/example.echo`, size: content.length },
    });
    t.same(site.names(), ['example.echo', 'example.echo.d']);
    t.equal(readFileSync(site.at('example.echo'), 'utf8'), content);
    t.equal(modeOf(site.at('example.echo')), 0o755);
    t.equal(modeOf(site.at('example.echo.d')), 0o755);
    t.equal(modeOf(site.at('example.echo.d/policy')), 0o644);
    t.equal(readFileSync(site.at('example.echo.d/description'), 'utf8'), 'Echo text.');
    const receipt = site.at('example.echo.d/.cortexfs-receipt.json');
    t.equal(modeOf(receipt), 0o444);
    const executable = lstatSync(site.at('example.echo'), { bigint: true });
    const control = lstatSync(site.at('example.echo.d'), { bigint: true });
    t.same(parseObjectReceipt(readFileSync(receipt, 'utf8')), {
      schema: 'cortexfs.object-install/v2',
      object_schema: 'cortexfs.object/v2',
      object_version: '1.0.0',
      cortexfs_requirement: '>=0.1.7, <0.2.0',
      class: 'tool',
      name: 'example.echo',
      tier,
      executable: { dev: executable.dev, ino: executable.ino, sha256: sha256Of(content) },
      control: { dev: control.dev, ino: control.ino },
    });
    if (tier === 'user') t.equal(modeOf(join(site.store, `home/${process.geteuid!()}`)), 0o700);
  }
});

t.test('version 1 of the schema gives a receipt of version 1', async (t) => {
  const site = siteFor(t);
  await installIn(site, site.manifestOfVersion1());
  const { receipt } = await inspectIn(site);
  t.match(receipt, { schema: 'cortexfs.object-install/v1', object_schema: 'cortexfs.object/v1' });
  t.notOk('object_version' in receipt || 'cortexfs_requirement' in receipt);
});

t.test('the umask plays no part', async (t) => {
  const site = siteFor(t);
  const before = process.umask(0o077);
  try {
    await installIn(site, site.manifest('1.0.0'));
  } finally {
    process.umask(before);
  }
  t.equal(modeOf(site.at('example.echo')), 0o755);
  t.equal(modeOf(site.at('example.echo.d')), 0o755);
  t.equal(modeOf(site.at('example.echo.d/cap')), 0o644);
});

t.test('a dry run lists exactly the steps and writes nothing', async (t) => {
  const site = siteFor(t);
  const manifest = site.manifest('1.0.0');
  const taken: string[] = [];
  const dry = await installIn(site, manifest, { dryRun: true });
  t.same(site.tree(), []);
  await installIn(site, manifest, {}, { afterStep: (name) => taken.push(name) });
  t.ok(dry.valid && !dry.done);
  if (dry.valid && !dry.done) {
    t.same(
      dry.steps.map(({ name }) => name),
      taken,
    );
    t.ok(dry.steps.every(({ does }) => does.length > 10));
  }
  t.same(
    taken,
    STEPS.install.map(({ name }) => name),
  );
  const other = await installIn(site, site.manifest('1.0.0', undefined, { name: 'other' }), { dryRun: true });
  if (other.valid && !other.done) t.notOk(other.steps.some(({ name }) => name === 'make-class-directory'));
});

t.test('an object that is invalid is reported and nothing is written', async (t) => {
  const site = siteFor(t);
  const manifest = site.manifest('1.0.0', undefined, { compatibility: { cortexfs: '^9' }, name: '..' });
  t.match(await installIn(site, manifest), {
    valid: false,
    faults: [{ at: 'compatibility.cortexfs' }, { at: 'name' }],
  });
  t.same(site.tree(), []);
});

t.test('bytes that are not those of the manifest never become executable', async (t) => {
  const site = siteFor(t);
  const other = 'y'.repeat(20 * 1024 * 1024);
  const manifest = site.manifest('1.0.0', 'x'.repeat(other.length));
  writeFileSync(join(manifest, '../run'), other);
  const modes = new Set<number>();
  const interrupted = () => {
    for (const name of site.names()) {
      const copy = lstatSync(site.at(`${name}/executable`), { throwIfNoEntry: false });
      if (copy !== undefined) modes.add(copy.mode);
    }
    return false;
  };
  await t.rejects(installIn(site, manifest, {}, { interrupted }), {
    code: 'EINVAL',
    path: /executable.sha256/,
    message: `does not match: the file has ${sha256Of(other)}`,
  });
  t.same(site.names(), [], 'nothing stays');
  t.ok(modes.size > 0, 'the copy was looked at while it grew');
  for (const mode of modes) t.equal(mode & 0o111, 0);
});

t.test('only new objects: whatever stands there stays', async (t) => {
  const obstacles: Record<string, (path: string) => void> = {
    'example.echo': (path) => writeFileSync(path, 'mine'),
    'example.echo.d': (path) => mkdirSync(path),
  };
  for (const [name, make] of Object.entries(obstacles)) {
    const site = siteFor(t);
    mkdirSync(site.at(''), { recursive: true });
    make(site.at(name));
    await t.rejects(installIn(site, site.manifest('1.0.0')), {
      code: 'EEXIST',
      path: `${site.place}/${name}`,
    });
    t.same(site.names(), [name]);
  }
  const site = siteFor(t);
  mkdirSync(site.at(''), { recursive: true });
  symlinkSync('missing', site.at('example.echo'));
  await t.rejects(installIn(site, site.manifest('1.0.0')), { code: 'EEXIST' });
  t.same(site.names(), ['example.echo'], 'a dangling link too');
});

t.test('what appears at the last moment is not overwritten, and everything is taken back', async (t) => {
  for (const [step, name] of [
    ['check-free', 'example.echo.d'],
    ['check-stage', 'example.echo.d'],
    ['publish-controls', 'example.echo'],
    ['sync-controls', 'example.echo'],
  ] as const) {
    const site = siteFor(t);
    const afterStep = (done: string) => void (done === step && writeFileSync(site.at(name), 'foreign'));
    await t.rejects(installIn(site, site.manifest('1.0.0'), {}, { afterStep }), { code: 'EEXIST' }, step);
    t.same(site.names(), [name], `${step}: the foreign one alone`);
    t.equal(readFileSync(site.at(name), 'utf8'), 'foreign');
  }
});

const FOREIGN = ['another file', 'a link in its place', 'one more control', 'one more file'];

t.test('what is changed in the stage is noticed before anything is visible', async (t) => {
  const changes: Record<string, (stage: string) => void> = {
    'bytes of the copy': (stage) => writeFileSync(join(stage, 'executable'), '#!/bin/sh\necho evil\n'),
    'another file': (stage) => {
      writeFileSync(join(stage, 'x'), 'evil', { mode: 0o755 });
      renameSync(join(stage, 'x'), join(stage, 'executable'));
    },
    'its mode': (stage) => chmodSync(join(stage, 'executable'), 0o4755),
    'a link in its place': (stage) => {
      symlinkSync('/bin/sh', join(stage, 'x'));
      renameSync(join(stage, 'x'), join(stage, 'executable'));
    },
    'one more control': (stage) => writeFileSync(join(stage, 'controls/owner'), '0\n'),
    'the receipt': (stage) => {
      chmodSync(join(stage, 'controls/.cortexfs-receipt.json'), 0o644);
      writeFileSync(join(stage, 'controls/.cortexfs-receipt.json'), '{}');
    },
    'one more file': (stage) => writeFileSync(join(stage, 'more'), ''),
  };
  for (const [what, change] of Object.entries(changes)) {
    const site = siteFor(t);
    const afterStep = (done: string) => {
      if (done === 'lock-class') change(site.at(site.names()[0]!));
    };
    await t.rejects(installIn(site, site.manifest('1.0.0'), {}, { afterStep }), { code: 'ESTALE' }, what);
    const [stage, ...visible] = site.names();
    t.same(visible, [], `${what}: nothing visible`);
    // What is not ours is not ours to remove: it stays in the stage, and is told.
    t.equal(stage?.startsWith('.cortexfs-install-') ?? false, FOREIGN.includes(what), what);
  }
});

t.test('an executable that changes while it is copied is refused', async (t) => {
  const site = siteFor(t);
  const manifest = site.manifest('1.0.0', 'x'.repeat(20 * 1024 * 1024));
  let once = true;
  const progress = () => {
    if (once) writeFileSync(join(manifest, '../run'), 'y'.repeat(30 * 1024 * 1024));
    once = false;
  };
  await t.rejects(installIn(site, manifest, {}, { progress }), { message: 'changed while it was read' });
  t.same(site.names(), []);
});

t.test('an interruption takes everything back, to the moment at which the object is there', async (t) => {
  const names = STEPS.install.map(({ name }) => name);
  for (const [index, step] of names.entries()) {
    const site = siteFor(t);
    let interrupted = false;
    const afterStep = (done: string) => {
      interrupted ||= done === step;
    };
    const work = installIn(site, site.manifest('1.0.0'), {}, { afterStep, interrupted: () => interrupted });
    if (index >= names.indexOf('publish-executable')) {
      await work;
      t.same(site.names(), ['example.echo', 'example.echo.d'], step);
    } else {
      await t.rejects(work, { code: 'ECANCELED' }, step);
      t.same(site.names(), [], step);
    }
  }
});

t.test('a place that others may write, or that is a link, is refused', async (t) => {
  const uid = process.geteuid!();
  for (const open of ['.', 'home', `home/${uid}`, `home/${uid}/tool`]) {
    const site = siteFor(t);
    mkdirSync(site.at(''), { recursive: true });
    chmodSync(join(site.store, open), 0o777);
    await t.rejects(
      installIn(site, site.manifest('1.0.0')),
      { code: 'EACCES', path: open, message: /0777/ },
      open,
    );
    chmodSync(join(site.store, open), 0o755);
    await installIn(site, site.manifest('1.0.0'));
  }
  for (const linked of ['home', `home/${uid}`, `home/${uid}/tool`]) {
    const site = siteFor(t);
    const outside = new ObjectFolder(t);
    mkdirSync(join(site.store, linked, '..'), { recursive: true });
    symlinkSync(outside.path, join(site.store, linked));
    await t.rejects(installIn(site, site.manifest('1.0.0')), { code: /^E(LOOP|NOTDIR)$/ }, linked);
    t.same(execFileSync('find', [outside.path, '-newer', site.manifest('2.0.0')], { encoding: 'utf8' }), '');
  }
});

t.test('an agent of the user tier would stand in its own home', async (t) => {
  const site = siteFor(t);
  const controls = {
    ...{ owner: '1000\n', uid: '1000\n', gid: '1000\n', groups: '', label: 'helper_t\n', iso: 'shared\n' },
    ...{ parent: 'agent:architect\n', life: 'owned\n', root: '/ctx/home/1000/agent/helper/root\n' },
    ...{ cwd: '/workspace\n', env: '', path: '/ctx/tool\n', mount: '', model: 'main\n' },
    ...{ abi: 'sdk-envelope-v1\n', policy: '' },
  };
  const manifest = site.manifest('1.0.0', 'agent', { class: 'agent', name: 'helper', controls });
  await t.rejects(installIn(site, manifest), { code: 'EINVAL', hint: '--tier system' });
  t.same(site.tree(), []);
  await installIn(site, manifest, { tier: 'system' });
  t.ok(site.tree().includes('agent/helper'));
  t.ok(site.tree().includes('agent/helper.d/label'));
  t.equal(
    readFileSync(join(site.store, 'agent/helper.d/window'), 'utf8'),
    'auto\n',
    'the default that the host asks for',
  );
});

t.test('a store that is missing, a file, or a mount', async (t) => {
  const site = siteFor(t);
  const manifest = site.manifest('1.0.0');
  await t.rejects(installIn(site, manifest, { source: join(site.folder, 'none') }), { code: 'ENOENT' });
  await t.rejects(installIn(site, manifest, { source: manifest }), { code: 'ENOTDIR' });
});
