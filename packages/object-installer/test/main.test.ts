import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { ObjectFolder, SCRIPT, sha256Of, toolManifest } from './object-folder.ts';

/** The bin as it is shipped: `build` comes before `test`. */
const bin = join(import.meta.dirname, '../dist/object-installer.js');

function run(args: readonly string[], cwd = '/') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    env: {},
    cwd,
  });
  return { status, stdout, stderr };
}

t.test('usage and version', async (t) => {
  t.same(run(['--version']), { status: 0, stdout: 'object-installer 0.1.7\n', stderr: '' });
  const help = run(['--help']);
  t.equal(help.status, 0);
  t.match(help.stdout, /^Usage: object-installer COMMAND/);
  t.match(help.stdout, /Exit codes: 0 success/);
  t.match(run([]), { status: 2, stdout: '', stderr: help.stdout });
});

t.test('a valid object on one line', async (t) => {
  const folder = new ObjectFolder(t);
  t.same(run(['check', folder.manifest(toolManifest())]), {
    status: 0,
    stdout: `valid tool/example.echo version 0.1.0 cortexfs ">=0.1.7, <0.2.0" sha256 ${sha256Of(SCRIPT)} size ${SCRIPT.length}\n`,
    stderr: '',
  });
});

t.test('a valid object as JSON, the path relative and behind --', async (t) => {
  const folder = new ObjectFolder(t);
  folder.manifest(toolManifest());
  const { status, stdout, stderr } = run(['check', '--json', '--', 'echo.json'], folder.path);
  t.equal(status, 0);
  t.equal(stderr, '');
  t.same(JSON.parse(stdout), {
    valid: true,
    manifest: 'echo.json',
    schema: 'cortexfs.object/v2',
    class: 'tool',
    name: 'example.echo',
    object_version: '0.1.0',
    cortexfs_requirement: '>=0.1.7, <0.2.0',
    executable: { path: 'bin/echo', sha256: sha256Of(SCRIPT), size: SCRIPT.length },
    controls: ['description', 'schema', 'cap', 'policy'],
  });
});

t.test('an invalid object: a line a fault, or one JSON document', async (t) => {
  const folder = new ObjectFolder(t);
  const controls = { ...toolManifest().controls, policy: '# x\nallow a tool:* execute\n' };
  const file = folder.manifest(
    toolManifest({ version: '1', compatibility: { cortexfs: '1 - 2' }, controls }),
  );
  t.same(run(['check', file]), {
    status: 2,
    stdout: '',
    stderr: [
      `object-installer: EINVAL: ${file}: version: must be a version such as 1.2.3, got "1"`,
      `object-installer: EINVAL: ${file}: compatibility.cortexfs: is no version requirement: "1 - 2"`,
      'hint: write a range as ">=1.2, <2"',
      `object-installer: EINVAL: ${file}: controls.policy:2: bad tool name "*"`,
      '',
    ].join('\n'),
  });
  const { status, stdout, stderr } = run(['check', file, '--json']);
  t.same([status, stderr], [2, '']);
  t.same(JSON.parse(stdout), {
    valid: false,
    manifest: file,
    faults: [
      { at: 'version', code: 'EINVAL', message: 'must be a version such as 1.2.3, got "1"' },
      {
        at: 'compatibility.cortexfs',
        code: 'EINVAL',
        message: 'is no version requirement: "1 - 2"',
        hint: 'write a range as ">=1.2, <2"',
      },
      { at: 'controls.policy', code: 'EINVAL', message: 'bad tool name "*"', line: 2 },
    ],
    exit_code: 2,
  });
});

t.test('misuse is one line, a hint and exit 2', async (t) => {
  const hint = 'hint: object-installer check MANIFEST [--json]\n';
  t.same(run(['check']), {
    status: 2,
    stdout: '',
    stderr: `object-installer: EINVAL: MANIFEST is missing\n${hint}`,
  });
  t.match(run(['check', 'a', 'b']), { status: 2, stderr: /unexpected argument "b"/ });
  t.match(run(['check', '--yes', 'a']), { status: 2, stderr: /unknown option "--yes"/ });
  t.match(run(['chekc']), { status: 2, stderr: /unknown command "chekc"/ });
  t.match(run(['--wrong']), { status: 2, stderr: /unknown command "--wrong"/ });
  t.match(run(['toString']), { status: 2, stderr: /unknown command/ });
});

t.test('a hostile file name stays on its line', async (t) => {
  const { status, stderr } = run(['check', '/nonexistent\u001b[2J\nvalid tool/x']);
  t.equal(status, 2);
  t.equal(stderr.split('\n').length, 2, JSON.stringify(stderr));
  t.notMatch(stderr, /\u001b/);
});
