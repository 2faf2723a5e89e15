import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { renameExchange } from '@cortexfs/linux/rename';
import t, { type Test } from 'tap';
import { atScale } from '../../../../setup/test-scale.ts';
import { audit } from '../../src/residue/audit.ts';
import { sha256Of } from '../object-folder.ts';
import { inspectIn, installIn, replaceIn, uninstallIn } from '../support/commands.ts';
import { type Site, siteFor, treeOf } from '../support/store.ts';
import { CONTENT, resolve } from './scenes.ts';
import { whileSwapped } from './swapper.ts';

const uid = process.geteuid!();
const TURNS = atScale(200, 5);

/** What lies outside: its names, inodes and contents, and how many names each file has. */
function snapshot(folder: string): string[] {
  return treeOf(folder).map((path) => {
    const { ino, mode, nlink, size, mtimeNs } = lstatSync(join(folder, path), { bigint: true });
    return [path, ino, mode, nlink, size, mtimeNs].join(' ');
  });
}

/** Files of somebody else, each with a second name by which its removal shows. */
function foreignTree(site: Site): string {
  const outside = join(site.folder, 'outside');
  for (const folder of [`${uid}/tool/example.echo.d`, 'tool/example.echo.d', 'example.echo.d', 'kept'])
    mkdirSync(join(outside, folder), { recursive: true });
  for (const [index, path] of [`${uid}/tool/example.echo`, 'tool/example.echo', 'example.echo'].entries()) {
    writeFileSync(join(outside, path), 'foreign', { mode: 0o755 });
    linkSync(join(outside, path), join(outside, `kept/${index}`));
    writeFileSync(join(outside, `${path}.d/marker`), 'foreign');
    linkSync(join(outside, `${path}.d/marker`), join(outside, `kept/marker-${index}`));
  }
  return outside;
}

/** Install, inspect, replace, inspect, uninstall, over and over. Returns how each ended. */
async function workIn(site: Site, turns = TURNS): Promise<Map<string, number>> {
  const [first, second] = [site.manifest('1.0.0', CONTENT.old), site.manifest('2.0.0', CONTENT.new)];
  const ends = new Map<string, number>();
  const attempt = async (work: () => Promise<unknown>) => {
    const end = await work().then(
      () => 'done',
      (err) => (err instanceof CortexError ? err.code : String(err)),
    );
    ends.set(end, (ends.get(end) ?? 0) + 1);
  };
  for (let turn = 0; turn < turns; turn++) {
    await attempt(() => installIn(site, first));
    await attempt(() => verified(site));
    await attempt(() => replaceIn(site, second));
    await attempt(() => verified(site));
    await attempt(() => uninstallIn(site));
  }
  return ends;
}

/** What passes the inspection has the bytes of one of the manifests. */
async function verified(site: Site): Promise<void> {
  const { receipt } = await inspectIn(site);
  if (![CONTENT.old, CONTENT.new].map(sha256Of).includes(receipt.executable.sha256))
    throw new Error('unverified bytes');
}

/** Errors of a refusal; everything else would be a fault of ours. */
const REFUSALS = /^(done|ENOENT|EEXIST|ESTALE|ELOOP|ENOTDIR|ENODATA|ENOTEMPTY|EACCES|EINVAL)$/;

function expectEnds(t: Test, ends: Map<string, number>): void {
  t.comment([...ends].map(([end, count]) => `${end} ${count}`).join(', '));
  for (const end of ends.keys()) t.match(end, REFUSALS);
}

for (const component of ['home', `home/${uid}`, `home/${uid}/tool`]) {
  t.test(`${component} exchanged for a link that leads outside`, async (t) => {
    const site = siteFor(t);
    const outside = foreignTree(site);
    mkdirSync(site.at(''), { recursive: true });
    const link = join(site.store, 'evil');
    symlinkSync(
      component.endsWith('tool')
        ? join(outside, 'tool')
        : component === 'home'
          ? outside
          : join(outside, String(uid)),
      link,
    );
    const before = snapshot(outside);
    await whileSwapped(join(site.store, component), '', link, async () => expectEnds(t, await workIn(site)));
    t.same(snapshot(outside), before, 'nothing outside was written, moved or removed');
    if (lstatSync(join(site.store, component)).isSymbolicLink())
      renameExchange(join(site.store, component), link);
    renameSync(link, join(site.folder, 'evil'));
    t.equal(await resolve('replace', site), undefined, 'what is left can be resolved');
    t.same(snapshot(outside), before);
  });
}

for (const name of ['example.echo', 'example.echo.d']) {
  t.test(`${name} exchanged for somebody else's`, async (t) => {
    const site = siteFor(t);
    const outside = foreignTree(site);
    await workIn(site, 1);
    await whileSwapped(site.at(name), '', join(outside, name), async () => expectEnds(t, await workIn(site)));
    t.equal(lstatSync(join(outside, 'kept/2')).nlink, 2, 'the foreign executable has both its names');
    t.equal(lstatSync(join(outside, 'kept/marker-2')).nlink, 2, 'and the file in the foreign controls too');
    t.equal(readFileSync(join(outside, 'kept/2'), 'utf8'), 'foreign');
    t.same(
      audit(site.store).residue.filter(({ kind }) => kind === 'rollback'),
      [],
    );
  });
}

for (const inside of ['executable', 'controls', 'old-executable', 'old-controls']) {
  t.test(`${inside} in the stage exchanged for somebody else's`, async (t) => {
    const site = siteFor(t);
    const outside = foreignTree(site);
    const name = inside.endsWith('controls') ? 'example.echo.d' : 'example.echo';
    mkdirSync(site.at(''), { recursive: true });
    const stages = site.at('.cortexfs-install-*');
    await whileSwapped(stages, inside, join(outside, name), async () => expectEnds(t, await workIn(site)));
    t.equal(lstatSync(join(outside, 'kept/2')).nlink, 2, 'the foreign executable has both its names');
    t.equal(lstatSync(join(outside, 'kept/marker-2')).nlink, 2, 'and the file in the foreign controls too');
    await verified(site).catch((err) =>
      t.ok(err instanceof CortexError, 'what is there is verified, or refused'),
    );
  });
}

t.test('the executable of the manifest exchanged for other bytes', async (t) => {
  const site = siteFor(t);
  const manifest = site.manifest('1.0.0', CONTENT.old);
  writeFileSync(join(site.folder, 'evil'), CONTENT.new, { mode: 0o755 });
  const run = join(manifest, '../run');
  const seen = new Set<string>();
  await whileSwapped(run, '', join(site.folder, 'evil'), async () => {
    for (let turn = 0; turn < TURNS * 10; turn++) {
      try {
        const outcome = await installIn(site, manifest);
        seen.add(outcome.valid ? 'installed' : outcome.faults.map(({ message }) => message).join());
        t.equal(readFileSync(site.at('example.echo'), 'utf8'), CONTENT.old, 'only the right bytes');
        await uninstallIn(site);
      } catch (err) {
        seen.add((err as Error).message);
      }
    }
  });
  for (const end of seen)
    t.match(end, /^(installed|does not match: the file has [0-9a-f]+|changed while it was read)$/);
  t.same(site.names(), []);
  t.throws(() => readlinkSync(run));
});
