import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { atScale } from '../../../setup/test-scale.ts';
import { installIn } from './support/commands.ts';
import { siteFor } from './support/store.ts';

/** The bin as it is shipped: `build` comes before `test`. */
const bin = join(import.meta.dirname, '../dist/object-installer.js');

function run(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    env: {},
  });
  return { status, stdout, stderr };
}

async function start(args: readonly string[]) {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: {} });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const [code] = await once(child, 'close');
  return { code, out, err };
}

t.test('the life of an object, as lines and as JSON', async (t) => {
  const site = siteFor(t);
  const [first, second] = [site.manifest('1.0.0'), site.manifest('1.1.0')];
  const source = ['--source', site.store];
  const json = (args: string[]) => JSON.parse(run([...args, ...source, '--json']).stdout);
  const object = ['tool', 'example.echo'];

  t.match(run(['install', first, ...source, '--dry-run']), {
    status: 0,
    stdout: /^would install tool\/example.echo .*\n {3}1 make-/,
  });
  t.match(run(['install', first, ...source]), {
    status: 0,
    stderr: '',
    stdout:
      /^installed tool\/example.echo version 1.0.0 cortexfs ">=0.1.7, <0.2.0" sha256 [0-9a-f]{64} size \d+ executable \d+:\d+ controls \d+:\d+ tier user\n$/,
  });
  t.match(run(['install', first, ...source]), {
    status: 1,
    stderr: /EEXIST.*\nhint: object-installer inspect/,
  });
  t.match(json(['inspect', ...object]), {
    status: 'managed',
    object_version: '1.0.0',
    cortexfs_requirement: '>=0.1.7, <0.2.0',
  });
  t.match(run(['upgrade', second, ...source]), {
    status: 0,
    stdout: /^would upgrade .*before version 1.0.0[\s\S]*--yes does it\n$/,
  });
  t.match(json(['upgrade', second, '--yes']), {
    status: 'upgraded',
    object_version: '1.1.0',
    previous: { object_version: '1.0.0' },
  });
  t.match(run(['upgrade', second, ...source]), { status: 2, stderr: /not higher/ });
  t.match(json(['rollback', second]), { error: { code: 'EINVAL', exit_code: 2 } });
  t.match(run(['rollback', first, ...source, '--yes']), { status: 0, stdout: /^rolled back tool/ });
  writeFileSync(site.at('example.echo'), 'evil');
  t.match(run(['inspect', ...object, ...source]), {
    status: 1,
    stdout: /^unavailable tool\/example.echo tier user: ESTALE/,
  });
  t.match(json(['inspect', ...object]), { status: 'unavailable', error: { code: 'ESTALE' } });
});

t.test('uninstall, and the residue', async (t) => {
  const site = siteFor(t);
  await installIn(site, site.manifest('1.0.0'));
  const source = ['--source', site.store];
  const object = ['tool', 'example.echo', ...source];
  t.match(run(['uninstall', ...object]), { status: 0, stdout: /^would uninstall[\s\S]*--yes does it\n$/ });
  t.match(JSON.parse(run(['uninstall', ...object, '--yes', '--json']).stdout), {
    status: 'uninstalled',
    incomplete: false,
  });
  t.match(run(['uninstall', ...object, '--yes']), { status: 1, stderr: /ENOENT/ });
  t.match(run(['residue', 'audit', ...source]), { status: 0, stdout: /^no residue among \d+ entries\n$/ });
  mkdirSync(site.at('.cortexfs-install-x/controls'), { recursive: true });
  mkdirSync(site.at('.cortexfs-cleanup-y'));
  const { residue } = JSON.parse(run(['residue', 'audit', ...source, '--json']).stdout);
  t.match(residue, [
    { kind: 'cleanup', removable: false, command: `rm -r -- ${site.at('.cortexfs-cleanup-y')}` },
    { kind: 'install', removable: true, command: /^ctx object residue cleanup --source .* --yes$/ },
  ]);
  const words: string[] = residue[1].command.split(' ').slice(2);
  t.match(run(words.slice(0, -1)), {
    status: 0,
    stdout: /^would remove .* with 1 entries\n[\s\S]*--yes does it\n$/,
  });
  t.match(run(words), { status: 0, stdout: /^removed / });
  t.match(run(['residue', 'cleanup', '--path', 'x', '--dev', '1', '--ino', '-1']), {
    status: 2,
    stderr: /--ino/,
  });
});

t.test('misuse', async (t) => {
  const site = siteFor(t);
  const manifest = site.manifest('1.0.0');
  const cases: [string[], RegExp][] = [
    [['install'], /MANIFEST is missing\nhint: object-installer install \[--source STORE\] MANIFEST/],
    [['install', manifest, '--tier', 'root'], /--tier must be user or system, got "root"/],
    [['inspect', 'model', 'x'], /CLASS must be tool or agent, got "model"/],
  ];
  for (const [args, stderr] of cases) t.match(run(args), { status: 2, stdout: '', stderr }, args.join(' '));
});

t.test('an interruption during a long copy', async (t) => {
  const site = siteFor(t);
  const manifest = site.manifest('1.0.0', '');
  truncateSync(join(manifest, '../run'), 1024 ** 3);
  const child = spawn(process.execPath, [bin, 'install', manifest, '--source', site.store], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (chunk) => (err += chunk));
  const closed = once(child, 'close');
  while (site.names().length === 0 && child.exitCode === null) await sleep(5);
  child.kill('SIGINT');
  const [code] = await closed;
  t.equal(code, 130, err);
  t.match(err, /ECANCELED: .*interrupted/);
  t.same(site.names(), [], 'nothing is left');
});

t.test('two installers at once', async (t) => {
  for (let turn = 0; turn < atScale(50, 1); turn++) {
    const site = siteFor(t);
    const one = site.manifest('1.0.0');
    const two = site.manifest('2.0.0');
    const other = site.manifest('3.0.0', undefined, { name: 'other' });
    const ends = await Promise.all(
      [one, two, other].map((manifest) => start(['install', manifest, '--source', site.store])),
    );
    t.equal(ends[2]!.code, 0, 'another name is not in the way');
    t.same(
      ends
        .slice(0, 2)
        .map(({ code }) => code)
        .sort(),
      [0, 1],
      'of the same name one comes in',
    );
    t.same(site.names(), ['example.echo', 'example.echo.d', 'other', 'other.d'], 'both whole, nothing left');
    const changes = await Promise.all([
      start(['replace', two, '--yes', '--source', site.store]),
      start(['uninstall', 'tool', 'example.echo', '--yes', '--source', site.store]),
    ]);
    t.ok(
      changes.some(({ code }) => code === 0),
      changes.map(({ err }) => err).join(),
    );
    const { stdout } = run(['residue', 'audit', '--json', '--source', site.store]);
    t.match(JSON.parse(stdout), { residue: [], incomplete: [] });
    t.ok(
      [0, 2].includes(site.names().filter((name) => name.startsWith('example')).length),
      site.names().join(),
    );
  }
});

t.test('a tool that runs while it is exchanged goes on as it was', async (t) => {
  const site = siteFor(t);
  const old = '#!/bin/sh\necho started\nread line\necho "old $line"\n';
  await installIn(site, site.manifest('1.0.0', old));
  const tool = spawn('/bin/sh', [site.at('example.echo')], { stdio: ['pipe', 'pipe', 'inherit'] });
  let out = '';
  tool.stdout.on('data', (chunk) => (out += chunk));
  await once(tool.stdout, 'data');
  t.equal(run(['replace', site.manifest('2.0.0'), '--yes', '--source', site.store]).status, 0);
  t.equal(run(['uninstall', 'tool', 'example.echo', '--yes', '--source', site.store]).status, 0);
  const closed = once(tool, 'close');
  tool.stdin.end('still here\n');
  await closed;
  t.equal(out, 'started\nold still here\n');
});
