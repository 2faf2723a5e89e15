import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { mountName } from '../../src/sandbox/mounts.ts';
import { makeSite, type TestSite } from '../site.ts';
import { runScript } from './run.ts';

const POLICY =
  'allow coder_t mount:workspace write\nallow coder_t mount:data read\nallow coder_t mount:data write\nallow coder_t mount:srv.docs read\n';

function siteWithMounts(t: Parameters<typeof makeSite>[0], lines: (site: TestSite) => string): TestSite {
  const site = makeSite(t, { policy: POLICY });
  mkdirSync(join(site.base, 'data'));
  writeFileSync(join(site.base, 'data/file'), 'data\n');
  site.write('store/agent/coder.d/mount', lines(site));
  return site;
}

t.test('a line is mounted in its mode when policy grants the mount by name', async (t) => {
  const site = siteWithMounts(
    t,
    ({ base }) => `${base}/data\t/data\trw\t-\n${base}/data\t/srv/docs\tro\trbind,nosuid,nodev\n`,
  );
  const { stdout } = await runScript(
    site,
    'echo new > /data/file; cat /srv/docs/file; (echo x > /srv/docs/file) 2>/dev/null || echo refused',
  );
  t.equal(stdout, 'new\nrefused\n');
  t.equal(readFileSync(join(site.base, 'data/file'), 'utf8'), 'new\n');
});

t.test('a line without a grant is not mounted, and that is said', async (t) => {
  const site = siteWithMounts(
    t,
    ({ base }) => `${base}/data\t/other\tro\t-\n${base}/data\t/srv/docs\trw\t-\n`,
  );
  const { stdout, notes } = await runScript(site, 'ls -d /other /srv/docs 2>/dev/null; echo end');
  t.equal(stdout, 'end\n');
  t.same(notes, [
    '/other is not mounted: policy has no mount:other read',
    '/srv/docs is not mounted: policy has no mount:srv.docs write',
  ]);
});

t.test('lines about the sandbox itself: view, home and private /tmp', async (t) => {
  const site = siteWithMounts(
    t,
    () =>
      '/ctx\t/ctx\tro\trbind,nosuid,nodev\n/ctx/home/0/agent/coder\t/home/agent\trw\trbind\n/tmp\t/tmp\trw\trbind\n',
  );
  const canary = `/tmp/canary-${process.pid}`;
  writeFileSync(canary, '');
  t.teardown(() => rmSync(canary, { force: true }));
  const { stdout } = await runScript(
    site,
    `(echo > /ctx/x) 2>/dev/null || echo read-only; echo > /tmp/x && ls /tmp/x; ls ${canary} 2>/dev/null || echo private`,
  );
  t.equal(stdout, 'read-only\n/tmp/x\nprivate\n', "the host's /tmp is not there");
});

t.test('a source below /ctx is what the agent sees there', async (t) => {
  const site = siteWithMounts(t, () => '/ctx/shared/docs\t/srv/docs\tro\trbind\n');
  await t.rejects(runScript(site, 'true'), { code: 'ENOENT' });
  site.write('root/.view/coder/shared/docs/file', 'shared\n');
  t.equal((await runScript(site, 'cat /srv/docs/file')).stdout, 'shared\n');
});

t.test('lines that would weaken the sandbox are refused', async (t) => {
  const refused: [(site: TestSite) => string, string][] = [
    [() => '/run\t/data\tro\trbind\n', 'EACCES'],
    [() => '/\t/data\tro\trbind\n', 'EACCES'],
    [({ store }) => `${store}/agent\t/data\trw\trbind\n`, 'EACCES'],
    [({ base }) => `${base}/data\t/data\tro\tbind,noexec\n`, 'ENOTSUP'],
    [() => '/proc\t/data\tro\tbind\n', 'EACCES'],
    [({ base }) => `${base}/absent\t/data\tro\tbind\n`, 'ENOENT'],
  ];
  for (const [lines, code] of refused) {
    const site = siteWithMounts(t, lines);
    await t.rejects(runScript(site, 'true'), { code }, lines(site));
  }
  for (const target of ['/etc', '/usr/bin', '/ctx/agent', '/run/cortexfs', '/proc', '/', '/workspace']) {
    const site = makeSite(t, { policy: `allow coder_t mount:${mountName(target) || 'x'} read\n` });
    site.write('store/agent/coder.d/mount', `${site.base}\t${target}\tro\t-\n`);
    const outcome = await runScript(site, `ls -A ${target} | grep -c store`).catch((error) => error.code);
    t.ok(outcome === 'EINVAL' || outcome.stdout === '0\n', target);
  }
});
