import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import t from 'tap';
import type { Verb } from '../../src/replace/order.ts';
import { STEPS } from '../../src/step/lists.ts';
import { installedVersion, installIn, replaceIn } from '../support/commands.ts';
import { siteFor } from '../support/store.ts';

/** installed, command, candidate, outcome. `v1` stands for an object of version 1 of the schema. */
const ORDER: [installed: string, verb: Verb, candidate: string, refusal?: RegExp][] = [
  ['1.0.0', 'replace', '1.0.0'],
  ['1.0.0', 'replace', '0.9.0'],
  ['1.0.0', 'replace', '2.0.0'],
  ['v1', 'replace', '0.0.2'],
  ['1.0.0', 'replace', 'v1', /^replace needs a manifest of cortexfs.object\/v2/],
  ['1.0.0', 'upgrade', '1.0.1'],
  ['1.0.0-rc.1', 'upgrade', '1.0.0'],
  ['1.0.0-alpha.2', 'upgrade', '1.0.0-alpha.10'],
  ['1.9.0', 'upgrade', '1.10.0'],
  ['1.0.0', 'upgrade', '1.0.0', /not higher than the installed 1.0.0/],
  ['1.0.0', 'upgrade', '1.0.0+build.2', /not higher/],
  ['1.0.0', 'upgrade', '1.0.0-rc.1', /not higher/],
  ['1.0.0', 'upgrade', '0.9.9', /not higher/],
  ['v1', 'upgrade', '1.0.0', /has no version/],
  ['1.0.0', 'upgrade', 'v1', /^upgrade needs a manifest of cortexfs.object\/v2/],
  ['1.0.0', 'rollback', '0.9.9'],
  ['1.0.0', 'rollback', '1.0.0-rc.1'],
  ['1.0.0', 'rollback', '1.0.0', /not lower than the installed 1.0.0/],
  ['1.0.0+build.2', 'rollback', '1.0.0+build.1', /not lower/],
  ['1.0.0', 'rollback', '1.0.1', /not lower/],
  ['v1', 'rollback', '0.0.1', /has no version/],
];

t.test('which candidate may follow what is installed', async (t) => {
  for (const [installed, verb, candidate, refusal] of ORDER) {
    const site = siteFor(t);
    const write = (version: string, content: string) =>
      version === 'v1' ? site.manifestOfVersion1(content) : site.manifest(version, content);
    await installIn(site, write(installed, 'old'));
    const manifest = write(candidate, 'new');
    const what = `${installed} ${verb} ${candidate}`;
    for (const yes of [false, true]) {
      const work = replaceIn(site, manifest, verb, yes);
      if (refusal === undefined) t.match(await work, { valid: true, done: yes }, what);
      else await t.rejects(work, { code: 'EINVAL', message: refusal }, what);
    }
    t.equal(await installedVersion(site), refusal === undefined ? candidate : installed, what);
    t.equal(readFileSync(site.at('example.echo'), 'utf8'), refusal === undefined ? 'new' : 'old');
    t.same(site.names(), ['example.echo', 'example.echo.d'], `${what}: nothing is left`);
  }
});

t.test(
  'without --yes the steps are listed, exactly those that are taken, and nothing is written',
  async (t) => {
    const site = siteFor(t, 'system');
    await installIn(site, site.manifest('1.0.0'));
    const before = site.tree();
    const manifest = site.manifest('1.1.0');
    const dry = await replaceIn(site, manifest, 'upgrade', false);
    t.same(site.tree(), before);
    const taken: string[] = [];
    await replaceIn(site, manifest, 'upgrade', true, { afterStep: (name) => taken.push(name) });
    if (dry.valid && !dry.done)
      t.same(
        dry.steps.map(({ name }) => name),
        taken,
      );
    t.same(
      taken,
      STEPS.replace.map(({ name }) => name),
    );
  },
);

t.test('the controls are those of the new manifest; what lay beside them goes', async (t) => {
  const site = siteFor(t);
  await installIn(site, site.manifest('1.0.0'));
  writeFileSync(site.at('example.echo.d/description'), 'edited');
  mkdirSync(site.at('example.echo.d/hooks/pre.d'), { recursive: true });
  writeFileSync(site.at('example.echo.d/hooks/pre.d/hook'), '');
  await replaceIn(site, site.manifest('1.1.0'));
  t.equal(readFileSync(site.at('example.echo.d/description'), 'utf8'), 'Echo text.');
  t.notOk(site.tree().some((path) => path.includes('hooks')));
});

t.test('only what is managed is replaced', async (t) => {
  const site = siteFor(t);
  const manifest = site.manifest('1.0.0');
  await t.rejects(replaceIn(site, manifest), { code: 'ENOENT' });
  mkdirSync(site.at('example.echo.d'), { recursive: true });
  writeFileSync(site.at('example.echo'), 'mine');
  await t.rejects(replaceIn(site, manifest), { code: 'ENODATA' });
  t.equal(readFileSync(site.at('example.echo'), 'utf8'), 'mine');
});

t.test('what could not be removed afterwards is told before anything is touched', async (t) => {
  const site = siteFor(t);
  await installIn(site, site.manifest('1.0.0'));
  execFileSync('mkfifo', [site.at('example.echo.d/fifo')]);
  for (const yes of [false, true]) {
    await t.rejects(replaceIn(site, site.manifest('1.1.0'), 'replace', yes), {
      code: 'ENOTSUP',
      path: /fifo/,
    });
  }
  t.equal(await installedVersion(site), '1.0.0');
});

t.test('a failure at any step before the new one is there brings the old one back', async (t) => {
  const names = STEPS.replace.map(({ name }) => name);
  const commit = names.indexOf('publish-executable');
  for (const [index, step] of names.entries()) {
    const site = siteFor(t);
    await installIn(site, site.manifest('1.0.0'));
    const afterStep = (done: string) => {
      if (done === step) throw new Error('stopped by the test');
    };
    const interrupted = { stop: false };
    const watcher = {
      afterStep: (done: string) => {
        interrupted.stop ||= done === step;
      },
      interrupted: () => interrupted.stop,
    };
    const work = replaceIn(
      site,
      site.manifest('1.1.0'),
      'replace',
      true,
      index < commit ? watcher : { afterStep },
    );
    await t.rejects(work, step);
    t.equal(await installedVersion(site), index < commit ? '1.0.0' : '1.1.0', step);
    if (index < commit) t.same(site.names(), ['example.echo', 'example.echo.d'], `${step}: nothing is left`);
  }
});

t.test('an object that is exchanged at the last moment is neither lost nor removed', async (t) => {
  for (const [step, name] of [
    ['lock-class', 'example.echo'],
    ['check-stage', 'example.echo'],
    ['check-stage', 'example.echo.d'],
    ['sync-hidden-executable', 'example.echo.d'],
  ] as const) {
    const site = siteFor(t);
    await installIn(site, site.manifest('1.0.0'));
    const afterStep = (done: string) => {
      if (done !== step) return;
      renameSync(site.at(name), site.at('aside'));
      if (name.endsWith('.d')) mkdirSync(site.at(name));
      else writeFileSync(site.at(name), 'foreign', { mode: 0o755 });
    };
    await t.rejects(
      replaceIn(site, site.manifest('1.1.0'), 'replace', true, { afterStep }),
      { code: 'ESTALE' },
      step,
    );
    t.same(site.names(), ['aside', 'example.echo', 'example.echo.d'], `${step} ${name}: all are still there`);
    if (name === 'example.echo')
      t.equal(readFileSync(site.at(name), 'utf8'), 'foreign', 'the foreign one is in its place');
  }
});

t.test('where the old one cannot go back to is told, and it stays in the stage', async (t) => {
  const site = siteFor(t);
  await installIn(site, site.manifest('1.0.0', 'old'));
  const afterStep = (done: string) => {
    if (done === 'hide-executable') writeFileSync(site.at('example.echo'), 'foreign');
  };
  await t.rejects(replaceIn(site, site.manifest('1.1.0'), 'replace', true, { afterStep }), {
    code: 'EEXIST',
    step: 'publish-executable',
    remains: {
      committed: false,
      faults: [/EEXIST/, /stays, because it holds more than what was prepared there/],
    },
  });
  const [stage = '', ...rest] = site.names();
  t.match(stage, /^\.cortexfs-install-/);
  t.same(rest, ['example.echo', 'example.echo.d']);
  t.equal(readFileSync(site.at(`${stage}/old-executable`), 'utf8'), 'old');
  t.equal(readFileSync(site.at('example.echo'), 'utf8'), 'foreign');
});
