import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { STEPS } from '../../src/step/lists.ts';
import { ObjectFolder } from '../object-folder.ts';
import { installedVersion, installIn, uninstallIn } from '../support/commands.ts';
import { siteFor } from '../support/store.ts';

t.test('a managed object goes, with everything in its control directory, and nothing else', async (t) => {
  for (const tier of ['user', 'system'] as const) {
    const site = siteFor(t, tier);
    const outside = new ObjectFolder(t);
    await installIn(site, site.manifest('1.0.0'));
    await installIn(site, site.manifest('1.0.0', 'other', { name: 'other' }));
    mkdirSync(site.at('example.echo.d/hooks/pre.d'), { recursive: true });
    symlinkSync(outside.path, site.at('example.echo.d/hooks/pre.d/link'));
    writeFileSync(site.at(Buffer.from('example.echo.d/name').toString()), '');
    await uninstallIn(site);
    t.same(site.names(), ['other', 'other.d']);
    t.ok(readFileSync(outside.at('bin/echo')), 'what a link named is untouched');
  }
});

t.test('without --yes the steps are listed, exactly those that are taken', async (t) => {
  const site = siteFor(t);
  await installIn(site, site.manifest('1.0.0'));
  const before = site.tree();
  const { steps } = await uninstallIn(site, false);
  t.same(site.tree(), before);
  const taken: string[] = [];
  await uninstallIn(site, true, { afterStep: (name) => taken.push(name) });
  t.same(
    steps.map(({ name }) => name),
    taken,
  );
  t.same(
    taken,
    STEPS.uninstall.map(({ name }) => name),
  );
});

t.test('version 1, and an object whose requirement is not met any more', async (t) => {
  const site = siteFor(t);
  await installIn(site, site.manifestOfVersion1());
  await uninstallIn(site);
  await installIn(site, site.manifest('1.0.0'));
  const receipt = site.at('example.echo.d/.cortexfs-receipt.json');
  const text = readFileSync(receipt, 'utf8').replace('>=0.1.7, <0.2.0', '=9.9.9');
  unlinkSync(receipt);
  writeFileSync(receipt, text);
  await uninstallIn(site);
  t.same(site.names(), []);
});

t.test('only what is managed, and only as its receipt says', async (t) => {
  const site = siteFor(t);
  await t.rejects(uninstallIn(site), { code: 'ENOENT' });
  mkdirSync(site.at('example.echo.d'), { recursive: true });
  writeFileSync(site.at('example.echo'), 'mine');
  await t.rejects(uninstallIn(site), { code: 'ENODATA' });
  const changed = siteFor(t);
  await installIn(changed, changed.manifest('1.0.0'));
  writeFileSync(changed.at('example.echo'), 'edited');
  await t.rejects(uninstallIn(changed), { code: 'ESTALE', message: /bytes/ });
  t.same([site.names(), changed.names()], Array(2).fill(['example.echo', 'example.echo.d']));
});

t.test('controls that an interrupted command left alone, by their own receipt', async (t) => {
  const site = siteFor(t);
  await installIn(site, site.manifest('1.0.0'));
  unlinkSync(site.at('example.echo'));
  const { size, steps } = await uninstallIn(site, false);
  t.equal(size, undefined);
  t.notOk(steps.some(({ name }) => name === 'hide-executable'));
  await uninstallIn(site);
  t.same(site.names(), []);
});

t.test('an executable that appears beside such controls is not taken', async (t) => {
  const site = siteFor(t);
  await installIn(site, site.manifest('1.0.0'));
  unlinkSync(site.at('example.echo'));
  const afterStep = (done: string) => {
    if (done === 'lock-class') writeFileSync(site.at('example.echo'), 'foreign');
  };
  await t.rejects(uninstallIn(site, true, { afterStep }), { code: 'ESTALE', message: /appeared/ });
  t.same(site.names(), ['example.echo', 'example.echo.d']);
});

t.test('what could not be removed is told before anything is touched', async (t) => {
  const site = siteFor(t);
  await installIn(site, site.manifest('1.0.0'));
  execFileSync('mkfifo', [site.at('example.echo.d/fifo')]);
  for (const yes of [false, true]) await t.rejects(uninstallIn(site, yes), { code: 'ENOTSUP', path: /fifo/ });
  t.equal(await installedVersion(site), '1.0.0');
});

t.test('what is exchanged at the last moment goes back, whatever it is', async (t) => {
  for (const name of ['example.echo', 'example.echo.d']) {
    const site = siteFor(t);
    await installIn(site, site.manifest('1.0.0'));
    const afterStep = (done: string) => {
      if (done !== 'make-stage') return;
      renameSync(site.at(name), site.at('aside'));
      if (name.endsWith('.d')) mkdirSync(site.at(name));
      else writeFileSync(site.at(name), 'foreign');
    };
    await t.rejects(uninstallIn(site, true, { afterStep }), {
      code: 'ESTALE',
      message: /exchanged at the last moment/,
    });
    t.same(site.names(), ['aside', 'example.echo', 'example.echo.d'], name);
  }
});
