import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import {
  formatRequestedMount,
  parseRequestedMount,
  parseRequestedMounts,
  type RequestedMount,
} from '../../src/sandbox/requested-mount.ts';
import { makeSite, type TestSite } from '../site.ts';
import { runScript } from './run.ts';

t.test('SOURCE:TARGET[:MODE]', async (t) => {
  const read: [string, RequestedMount][] = [
    ['/a:/b', { source: '/a', target: '/b', mode: 'ro' }],
    ['/a:/b:ro', { source: '/a', target: '/b', mode: 'ro' }],
    ['/a:/b:rw', { source: '/a', target: '/b', mode: 'rw' }],
    ['/a:b:c:/d/e:rw', { source: '/a:b:c', target: '/d/e', mode: 'rw' }],
    ['/a/../b/:/c', { source: '/b', target: '/c', mode: 'ro' }],
    ['a:/c', { source: `${process.cwd()}/a`, target: '/c', mode: 'ro' }],
    ['.:/ro', { source: process.cwd(), target: '/ro', mode: 'ro' }],
  ];
  for (const [text, mount] of read) t.same(parseRequestedMount(text), mount, text);
  const refused = [
    '',
    ':',
    '/a',
    '/a:',
    ':/b',
    '/a:b',
    '/a:/b/',
    '/a:/b/../c',
    '/a:rw',
    '/a:ro',
    '/a:/b:wr',
    '/a:/b:',
    '/a\n:/b',
  ];
  for (const text of refused)
    t.throws(() => parseRequestedMount(text), { code: 'EINVAL', message: /--mount/ }, text);
  t.throws(() => parseRequestedMounts(['/a:/b', '/c:/b:rw']), { code: 'EINVAL', message: /"\/b" twice/ });
  t.same(parseRequestedMounts([]), []);
});

t.test('what is written is read as the same; no text makes it throw anything else', async () => {
  const part = fc.stringMatching(/^[a-z0-9 ._-]{1,8}$/).filter((word) => word !== '.' && word !== '..');
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
  const source = fc.tuple(path, fc.constantFrom('', ':x', ':/y:rw')).map(([start, end]) => `${start}${end}`);
  const mode = fc.constantFrom<'ro' | 'rw'>('ro', 'rw');
  fc.assert(
    fc.property(source, path, mode, (source, target, mode) => {
      const mount = { source, target, mode };
      const again = parseRequestedMount(formatRequestedMount(mount));
      return again.source === source && again.target === target && again.mode === mode;
    }),
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('/', ':', 'a', 'r', 'o', 'w', '.', '\n') })),
      (text) => {
        try {
          parseRequestedMount(text);
          return true;
        } catch (error) {
          return error instanceof CortexError && error.code === 'EINVAL';
        }
      },
    ),
  );
});

const RULES = [
  'data read',
  'data write',
  'sub read',
  'sub write',
  'srv.docs read',
  'only-read read',
  'absent read',
];
const POLICY = RULES.map((rule) => `allow coder_t mount:${rule}\n`).join('');

/** `data` is declared rw at /data, `docs` ro at /srv/docs, `secret` not at all. */
function declaring(t: Test): TestSite {
  const site = makeSite(t, { policy: POLICY });
  for (const path of ['data/sub/file', 'docs/file', 'secret/file']) site.write(path, `${path}\n`);
  const lines = [
    `${site.base}/data\t/data\trw\tnosuid,nodev`,
    `${site.base}/docs\t/srv/docs\tro\t-`,
    `/tmp\t/tmp\trw\t-`,
    '/ctx\t/ctx\tro\trbind',
  ];
  site.write('store/agent/coder.d/mount', `${lines.join('\n')}\n`);
  return site;
}

t.test('a start may show less of what the control declares, and in another place', async (t) => {
  const site = declaring(t);
  const mounts = parseRequestedMounts([
    `${site.base}/data/sub:/sub:rw`,
    `${site.base}/data/sub:/only-read`,
    `${site.base}/data:/data:ro`,
  ]);
  const script =
    'echo new > /sub/new; cat /only-read/file; for at in /only-read /data; do (echo x > $at/x) 2>/dev/null || echo $at refused; done; cat /srv/docs/file';
  const { stdout, notes } = await runScript(site, script, { mounts });
  t.equal(stdout, 'data/sub/file\n/only-read refused\n/data refused\ndocs/file\n');
  t.same(notes, []);
  t.equal(readFileSync(join(site.base, 'data/sub/new'), 'utf8'), 'new\n');
});

t.test('it may not show more', async (t) => {
  const site = declaring(t);
  symlinkSync('../secret', join(site.base, 'data/link'));
  mkdirSync(join(site.base, 'data2'));
  const { base } = site;
  const refused: [string, string, RegExp, string][] = [
    [
      `${base}/secret:/sub`,
      'EACCES',
      /no line of the mount control covers it/,
      'a place that is not declared',
    ],
    [`${base}/data/link:/sub`, 'EACCES', /no line/, 'a link that leads out of what is declared'],
    [`${base}/data2:/sub`, 'EACCES', /no line/, 'a name that only begins like a declared one'],
    [`${base}:/sub`, 'EACCES', /no line/, 'a directory above a declared one'],
    [`${base}/docs:/sub:rw`, 'EACCES', /no line/, 'what is declared read-only, writable'],
    [`/tmp:/sub`, 'EACCES', /no line/, 'the line about the private /tmp is none about the /tmp of the host'],
    ['/etc:/sub', 'EACCES', /no line/, 'the operating system'],
    [
      `${base}/data:/only-read:rw`,
      'EACCES',
      /"allow coder_t mount:only-read write"/,
      'a mode without a grant',
    ],
    [`${base}/data:/other`, 'EACCES', /"allow coder_t mount:other read"/, 'a target without a grant'],
    [`${base}/data/none:/sub`, 'ENOENT', /no such/, 'what is not there'],
    [`${base}/data:/workspace`, 'EACCES', /mount:workspace/, 'the workspace is no mount'],
  ];
  for (const [mount, code, message, why] of refused)
    await t.rejects(
      runScript(site, 'true', { mounts: parseRequestedMounts([mount]) }),
      { code, message },
      why,
    );
  site.write(
    'store/agent/coder.d/policy',
    `${POLICY}allow coder_t mount:workspace write\nallow coder_t mount:etc.x read\n`,
  );
  for (const target of ['/workspace', '/etc/x']) {
    const mounts = parseRequestedMounts([`${base}/data:${target}`]);
    await t.rejects(
      runScript(site, 'true', { mounts }),
      { code: /EACCES|EINVAL/ },
      `${target} is the sandbox's own`,
    );
  }
});

t.test('a line that declares a mount with conditions lends them', async (t) => {
  const site = declaring(t);
  site.write('store/agent/coder.d/mount', `${site.base}/data\t/data\trw\tnoexec\n`);
  const mounts = parseRequestedMounts([`${site.base}/data/sub:/sub`]);
  await t.rejects(runScript(site, 'true', { mounts }), { code: 'ENOTSUP' }, 'noexec is not left out');
});

t.test('without a workspace there is none, and processes begin at home', async (t) => {
  const site = makeSite(t);
  const script = 'pwd; ls -d /workspace 2>/dev/null || echo none';
  t.equal((await runScript(site, script, { workspace: null })).stdout, '/home/agent\nnone\n');
  t.equal((await runScript(site, script)).stdout, '/workspace\n/workspace\n');
});

t.test('a start directory that the agent does not see is refused before anything runs', async (t) => {
  const site = makeSite(t);
  writeFileSync(join(site.workspace, 'file'), '');
  mkdirSync(join(site.workspace, 'sub'));
  symlinkSync('sub', join(site.workspace, 'link'));
  const unseen = join(site.base, 'unseen');
  mkdirSync(unseen);
  const where = async (cwd: string) => (await runScript(site, 'pwd -P', { cwd })).stdout;
  t.equal(await where('/workspace/sub'), '/workspace/sub\n');
  t.equal(await where('/workspace/link'), '/workspace/sub\n', 'a link inside leads inside');
  t.equal(await where('/'), '/\n');
  for (const [cwd, code] of [
    ['/workspace/none', 'ENOENT'],
    ['/workspace/file', 'ENOTDIR'],
    [unseen, 'ENOENT'],
  ] as const)
    await t.rejects(where(cwd), { code, path: cwd, layer: 'sandbox' }, cwd);
});

t.test('a workspace that its owner has closed to himself is refused, for root as well', async (t) => {
  const site = makeSite(t);
  const closed = join(site.base, 'closed');
  mkdirSync(closed, { mode: 0o000 });
  await t.rejects(runScript(site, 'true', { workspace: closed }), {
    code: 'EACCES',
    message: /cannot be a workspace/,
  });
});
