import {
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import t from 'tap';
import { inspect } from '../../src/inspect/inspect.ts';
import { inspectIn, installIn } from '../support/commands.ts';
import { type Site, siteFor } from '../support/store.ts';

const receiptOf = (site: Site) => site.at('example.echo.d/.cortexfs-receipt.json');

function rewriteReceipt(site: Site, change: (text: string) => string): void {
  const text = readFileSync(receiptOf(site), 'utf8');
  unlinkSync(receiptOf(site));
  writeFileSync(receiptOf(site), change(text), { mode: 0o444 });
}

t.test('what is installed, and nothing is changed by looking', async (t) => {
  const site = siteFor(t);
  await installIn(site, site.manifest('1.2.3'));
  const before = site.tree();
  t.match(await inspectIn(site), {
    path: `${site.place}/example.echo`,
    receipt: { object_version: '1.2.3', tier: 'user' },
  });
  t.same(site.tree(), before);
});

t.test(
  'changed controls, hooks and a requirement that this CortexFS does not meet any more are no faults',
  async (t) => {
    const site = siteFor(t);
    await installIn(site, site.manifest('1.0.0'));
    writeFileSync(site.at('example.echo.d/policy'), 'allow coder_t tool:example.echo execute\n');
    mkdirSync(site.at('example.echo.d/hooks/pre.d'), { recursive: true });
    rewriteReceipt(site, (text) => text.replace('>=0.1.7, <0.2.0', '^9'));
    t.equal((await inspectIn(site)).receipt.cortexfs_requirement, '^9');
  },
);

/** What was done to an installed object, and what inspect then says. */
const CASES: [what: string, change: (site: Site) => unknown, code: string, why: RegExp][] = [
  ['nothing is there', (site) => rmSync(site.at(''), { recursive: true }), 'ENOENT', /is installed there/],
  [
    'both are gone',
    (site) => [rmSync(site.at('example.echo')), rmSync(site.at('example.echo.d'), { recursive: true })],
    'ENOENT',
    /no tool of that name/,
  ],
  [
    'no control directory',
    (site) => rmSync(site.at('example.echo.d'), { recursive: true }),
    'ENODATA',
    /no control directory/,
  ],
  ['no receipt', (site) => unlinkSync(receiptOf(site)), 'ENODATA', /has no receipt/],
  ['a receipt that is no JSON', (site) => rewriteReceipt(site, () => '{'), 'ENODATA', /invalid JSON/],
  [
    'a receipt of an older kind',
    (site) => rewriteReceipt(site, (text) => text.replace('/v2', '/v0')),
    'ENODATA',
    /unknown schema/,
  ],
  [
    'a receipt with more in it',
    (site) => rewriteReceipt(site, (text) => text.replace('{', '{"x":1,')),
    'ENODATA',
    /unknown field/,
  ],
  [
    'a receipt that is too large',
    (site) => rewriteReceipt(site, (text) => text + ' '.repeat(20_000)),
    'ENODATA',
    /16384/,
  ],
  [
    'a receipt that is a link',
    (site) => [renameSync(receiptOf(site), site.at('r')), symlinkSync('../r', receiptOf(site))],
    'ENODATA',
    /symbolic link/,
  ],
  [
    'a receipt that is a directory',
    (site) => [unlinkSync(receiptOf(site)), mkdirSync(receiptOf(site))],
    'ENODATA',
    /directory/,
  ],
  [
    'a receipt that others may write',
    (site) => chmodSync(receiptOf(site), 0o446),
    'EACCES',
    /written by others/,
  ],
  [
    'controls that others may write',
    (site) => chmodSync(site.at('example.echo.d'), 0o777),
    'EACCES',
    /written by others/,
  ],
  [
    "another object's receipt",
    (site) => rewriteReceipt(site, (text) => text.replace('"example.echo"', '"other"')),
    'ESTALE',
    /about the name other/,
  ],
  [
    "another tier's receipt",
    (site) => rewriteReceipt(site, (text) => text.replace('"user"', '"system"')),
    'ESTALE',
    /about the tier system/,
  ],
  [
    "another class's receipt",
    (site) => rewriteReceipt(site, (text) => text.replace('"tool"', '"agent"')),
    'ESTALE',
    /about the class agent/,
  ],
  [
    'a copy of the controls',
    (site) => {
      cpSync(site.at('example.echo.d'), site.at('copy'), { recursive: true });
      rmSync(site.at('example.echo.d'), { recursive: true });
      renameSync(site.at('copy'), site.at('example.echo.d'));
    },
    'ESTALE',
    /another directory/,
  ],
  [
    'controls that are a link',
    (site) => [
      renameSync(site.at('example.echo.d'), site.at('real')),
      symlinkSync('real', site.at('example.echo.d')),
    ],
    'ENODATA',
    /no directory/,
  ],
  ['no executable', (site) => unlinkSync(site.at('example.echo')), 'ESTALE', /interrupted/],
  ['other bytes', (site) => writeFileSync(site.at('example.echo'), 'evil'), 'ESTALE', /bytes are not those/],
  [
    'a copy of the executable',
    (site) => {
      cpSync(site.at('example.echo'), site.at('copy'));
      renameSync(site.at('copy'), site.at('example.echo'));
    },
    'ESTALE',
    /another file/,
  ],
  ['no execute bit', (site) => chmodSync(site.at('example.echo'), 0o644), 'ESTALE', /no execute bit/],
  [
    'an executable that is a link',
    (site) => [
      renameSync(site.at('example.echo'), site.at('real')),
      symlinkSync('real', site.at('example.echo')),
    ],
    'ESTALE',
    /no regular file/,
  ],
  [
    'an executable that is a directory',
    (site) => [unlinkSync(site.at('example.echo')), mkdirSync(site.at('example.echo'))],
    'ESTALE',
    /no regular file/,
  ],
];

t.test('what is not as its receipt says', async (t) => {
  for (const [what, change, code, message] of CASES) {
    const site = siteFor(t);
    await installIn(site, site.manifest('1.0.0'));
    change(site);
    await t.rejects(inspectIn(site), { code, message }, what);
  }
});

t.test('a change that is made during the inspection is noticed', async (t) => {
  const changes: Record<string, (site: Site) => void> = {
    'its length': (site) => writeFileSync(site.at('example.echo'), 'x', { flag: 'a' }),
    'its mode': (site) => chmodSync(site.at('example.echo'), 0o700),
    'its time of modification': (site) => utimesSync(site.at('example.echo'), 1, 1),
    'its number of names': (site) => linkSync(site.at('example.echo'), site.at('second')),
    'another file in its place': (site) => {
      cpSync(site.at('example.echo'), site.at('copy'));
      renameSync(site.at('copy'), site.at('example.echo'));
    },
    'another directory in its place': (site) => {
      renameSync(site.at('example.echo.d'), site.at('kept'));
      mkdirSync(site.at('example.echo.d'));
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    const site = siteFor(t);
    await installIn(site, site.manifest('1.0.0', 'x'.repeat(9 * 1024 * 1024)));
    let changed = false;
    const progress = () => {
      if (!changed) change(site);
      changed = true;
    };
    await t.rejects(inspect(site.store, site.target, { progress }), { code: 'ESTALE' }, what);
    t.ok(changed, `${what}: was changed meanwhile`);
  }
});

t.test('an agent of the user tier is never installed, whatever stands in its home', async (t) => {
  const site = siteFor(t);
  mkdirSync(site.at('../agent/example.echo'), { recursive: true });
  await t.rejects(inspect(site.store, { ...site.target, class: 'agent' }), { code: 'ENOENT' });
});
