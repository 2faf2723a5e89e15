import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeSpecialFile } from '@cortexfs/linux/special-file';
import t, { type Test } from 'tap';
import { onEachTransport } from '../fixture/each-transport.ts';
import { makeSite, mounted } from '../fixture/mounted.ts';
import { attributeCases } from '../fixture/posix/attributes.ts';
import { type Case, type Cases, Folder, tried } from '../fixture/posix/case.ts';
import { linkCases } from '../fixture/posix/links.ts';
import { nameCases } from '../fixture/posix/names.ts';
import { openCases } from '../fixture/posix/open.ts';
import { ownerCases } from '../fixture/posix/owners.ts';

const self = process.geteuid!();
const asRoot = { skip: self === 0 ? false : 'needs root, to be several users' };
/** Modes bind root to nothing, and an umask that tests inherit must not matter. */
process.umask(0o022);

onEachTransport('a home behaves as Linux says', {}, async (t, transport) => {
  const site = makeSite(t, { transport });
  const running = await mounted(t, site);
  const home = join(site.root, `home/${self}`);
  for (const [topic, cases] of Object.entries({ openCases, nameCases, linkCases, attributeCases }))
    compare(t, home, cases, ({ kernelOnly }) => transport === 'kernel' || !kernelOnly, topic);
  t.equal(running.said(), '');
});

t.test('a shared space behaves as Linux says, for several users', asRoot, async (t) => {
  const site = makeSite(t);
  const running = await mounted(t, site, '--allow-other');
  const shared = join(site.root, 'shared/notes');
  for (const [topic, cases] of Object.entries({ openCases, linkCases, attributeCases, ownerCases }))
    compare(t, shared, cases, () => true, topic);

  t.test('homes and spaces are file systems of their own', (t) => {
    const home = join(site.root, `home/${self}`);
    writeFileSync(join(home, 'f'), 'x');
    mkdirSync(join(site.root, 'shared/other'));
    const outside = join(site.store.base, 'outside');
    for (const target of [join(shared, 'f'), join(site.root, 'shared/other/f'), outside]) {
      t.equal(
        tried(() => renameSync(join(home, 'f'), target)),
        'EXDEV',
        target,
      );
      t.equal(
        tried(() => linkSync(join(home, 'f'), target)),
        'EXDEV',
        target,
      );
    }
    t.end();
  });

  t.test('device files are made by root and opened by nobody', (t) => {
    const path = join(shared, 'null');
    makeSpecialFile(path, 0o020600, 0x103);
    chmodSync(path, 0o666);
    t.match(statSync(path), { rdev: 0x103, mode: 0o020666 });
    t.equal(
      tried(() => openSync(path, 'r')),
      'EACCES',
    );
    t.end();
  });
  t.equal(running.said(), '');
});

/** Runs each case in a directory of the mount and in one beside it: both must answer as the table says. */
function compare(t: Test, served: string, cases: Cases, fits: (each: Case) => boolean, topic: string): void {
  const plain = mkdtempSync('/tmp/cfs-posix-');
  chmodSync(plain, 0o755);
  t.teardown(() => rmSync(plain, { recursive: true, force: true }));
  let number = 0;
  for (const [what, each] of Object.entries(cases)) {
    if (!fits(each)) continue;
    const name = `${topic}-${number++}`;
    const [linux, ours] = [plain, served].map((parent) => new Folder(parent).folder(name));
    t.strictSame(each.run(linux!), each.is, `${what}: Linux itself`);
    t.strictSame(each.run(ours!), each.is, what);
  }
}
