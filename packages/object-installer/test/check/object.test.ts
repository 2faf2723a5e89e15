import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import t from 'tap';
import { checkObject } from '../../src/check/object.ts';
import { exitCodeFor } from '../../src/check/report.ts';
import { ObjectFolder, SCRIPT, sha256Of, toolManifest } from '../object-folder.ts';

const faultsOf = async (file: string) => {
  const report = await checkObject(file);
  return report.valid ? [] : report.faults.map(({ at, code, message }) => `${code} ${at}: ${message}`);
};
const executable = (path: string, content = SCRIPT) => ({ executable: { path, sha256: sha256Of(content) } });

t.test('a valid tool', async (t) => {
  const folder = new ObjectFolder(t);
  const report = await checkObject(folder.manifest(toolManifest()));
  t.match(report, { valid: true, size: SCRIPT.length, manifest: { name: 'example.echo', class: 'tool' } });
  t.equal(exitCodeFor(report), 0);
});

t.test('a valid tool of version 1, its executable beside the manifest', async (t) => {
  const folder = new ObjectFolder(t);
  folder.write('tool', 'bytes', 0o700);
  const {
    version: _,
    compatibility: __,
    ...manifest
  } = toolManifest({ schema: 'cortexfs.object/v1', ...executable('./tool', 'bytes') });
  t.equal((await checkObject(folder.manifest(manifest))).valid, true);
});

t.test('an executable of several chunks, and an empty one', async (t) => {
  const folder = new ObjectFolder(t);
  const large = 'x'.repeat(3 * 1024 * 1024 + 17);
  folder.write('large', large, 0o755);
  folder.write('empty', '', 0o755);
  t.match(await checkObject(folder.manifest(toolManifest(executable('large', large)))), {
    valid: true,
    size: large.length,
  });
  t.match(await checkObject(folder.manifest(toolManifest(executable('empty', '')))), {
    valid: true,
    size: 0,
  });
});

t.test('every fault of manifest and executable is reported at once', async (t) => {
  const folder = new ObjectFolder(t);
  folder.write('bin/echo', 'other', 0o644);
  const manifest = toolManifest({
    name: '..',
    compatibility: { cortexfs: '^9' },
    controls: { description: '', schema: '{"type":"objekt"}', cap: 'text', policy: 'deny all\n', extra: '' },
  });
  const faults = await faultsOf(folder.manifest(manifest));
  t.match(faults, [
    /compatibility.cortexfs: asks for CortexFS "\^9", this is 0\.1\.7/,
    /name: "\.\." is not a valid object name/,
    /controls: has an unknown key "extra"/,
    /controls.description: .*blank/,
    /controls.schema: is no usable JSON Schema: /,
    /controls.policy: must be "allow/,
    /executable.path: has no execute bit/,
    new RegExp(`executable.sha256: does not match: the file has ${sha256Of('other')}`),
  ]);
  t.equal(faults.length, 8);
});

t.test('what an executable may not be', async (t) => {
  const folder = new ObjectFolder(t);
  const outside = new ObjectFolder(t);
  mkdirSync(folder.at('dir'));
  execFileSync('mkfifo', ['-m', '755', folder.at('fifo')]);
  symlinkSync('bin/echo', folder.at('link'));
  symlinkSync('bin', folder.at('linked'));
  symlinkSync(outside.at('bin'), folder.at('away'));
  folder.write('huge', '', 0o755);
  truncateSync(folder.at('huge'), 4 * 1024 ** 3 + 1);
  const server = createServer().listen(folder.at('socket'));
  t.teardown(() => server.close());
  await new Promise((done) => server.once('listening', done));
  const cases = {
    missing: 'ENOENT executable.path: does not exist',
    'bin/echo/x': 'ENOTDIR executable.path: has something on the way that is no directory',
    dir: 'EINVAL executable.path: is a directory, not a regular file',
    fifo: 'EINVAL executable.path: is a FIFO, not a regular file',
    link: 'ELOOP executable.path: has a symbolic link on the way',
    'linked/echo': 'ELOOP executable.path: has a symbolic link on the way',
    'away/echo': 'ELOOP executable.path: has a symbolic link on the way',
    huge: 'EMSGSIZE executable.path: is larger than 4294967296 bytes',
    ['x'.repeat(256)]: 'ENAMETOOLONG executable.path: has a name that is too long',
    socket: 'ENXIO executable.path: is a socket or a device, not a regular file',
  };
  for (const [path, fault] of Object.entries(cases)) {
    const file = folder.manifest(toolManifest(executable(path)));
    t.match(await faultsOf(file), [fault], path);
    t.equal(exitCodeFor(await checkObject(file)), 2, `${path}: exit code`);
  }
  t.same(await faultsOf(folder.manifest(toolManifest())), [], 'the one beside them is fine');
});

t.test('what a manifest may not be', async (t) => {
  const folder = new ObjectFolder(t);
  const good = folder.manifest(toolManifest());
  symlinkSync(good, folder.at('link.json'));
  execFileSync('mkfifo', [folder.at('fifo.json')]);
  folder.write('latin1.json', Buffer.from([0x7b, 0xe9, 0x7d]));
  folder.write('bom.json', `\ufeff${JSON.stringify(toolManifest())}`);
  folder.write('large.json', JSON.stringify(toolManifest()) + ' '.repeat(1024 * 1024));
  const cases = {
    'missing.json': 'ENOENT : does not exist',
    'no/such/folder.json': /ENOENT : no such file/,
    'echo.json/x': /ENOTDIR/,
    bin: 'EINVAL : is a directory, not a regular file',
    'link.json': /ELOOP/,
    'fifo.json': 'EINVAL : is a FIFO, not a regular file',
    'latin1.json': 'EINVAL : is not UTF-8',
    'bom.json': /EINVAL : invalid JSON at offset 0/,
    'large.json': 'EMSGSIZE : a manifest is at most 1048576 bytes',
  };
  for (const [path, fault] of Object.entries(cases)) {
    t.match(await faultsOf(folder.at(path)), [fault], path);
    t.equal(exitCodeFor(await checkObject(folder.at(path))), 2, `${path}: exit code`);
  }
  t.same(await faultsOf(good), [], 'the one beside them is fine');
});

t.test('a manifest of exactly 1 MiB', async (t) => {
  const folder = new ObjectFolder(t);
  t.same(await faultsOf(folder.manifest(JSON.stringify(toolManifest()).padEnd(1024 * 1024))), []);
});

t.test('nothing is left open', async (t) => {
  const folder = new ObjectFolder(t);
  const good = folder.manifest(toolManifest());
  await checkObject(good);
  const before = readdirSync('/proc/self/fd').length;
  for (const file of [good, folder.at('missing'), folder.at('bin'), folder.write('bad.json', '{')])
    await checkObject(file);
  t.equal(readdirSync('/proc/self/fd').length, before);
});

t.test('what permissions refuse is 13, unless the object is invalid anyway', async (t) => {
  const folder = new ObjectFolder(t);
  const file = folder.manifest(toolManifest());
  t.equal(exitCodeFor(await checkObject(file)), 0, 'readable');
  // No mode stops root, so that root looks with the eyes of nobody.
  const root = process.geteuid?.() === 0;
  const look = async (file: string) => {
    if (root) process.seteuid?.(65_534);
    try {
      const report = await checkObject(file);
      return { faults: await faultsOf(file), exitCode: exitCodeFor(report) };
    } finally {
      if (root) process.seteuid?.(0);
    }
  };
  t.same(await look(file), { faults: [], exitCode: 0 }, 'readable for nobody');
  chmodSync(folder.at('bin/echo'), 0o111);
  t.same(await look(file), { faults: ['EACCES executable.path: may not be read'], exitCode: 13 });
  t.match(await look(folder.manifest(toolManifest({ version: '1' }))), {
    faults: [/^EINVAL version/, /^EACCES executable.path/],
    exitCode: 2,
  });
  chmodSync(file, 0o000);
  t.same(await look(file), { faults: ['EACCES : may not be read'], exitCode: 13 });
  chmodSync(file, 0o644);
  chmodSync(folder.path, 0o000);
  t.match(await look(file), { faults: [/^EACCES : /], exitCode: 13 });
  chmodSync(folder.path, 0o700);
});
