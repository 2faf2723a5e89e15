import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { VERSION } from '@cortexfs/abi/version';
import t from 'tap';
import { installation } from '../installation.ts';
import { objectFile, runBundle, scratch } from '../object-file.ts';

t.test('--help tells usage and exit codes, --version the version', async (t) => {
  const help = await runBundle(['--help']);
  t.match(help, { code: 0, stdout: /^usage: cortexfs-object-runner OBJECT/, stderr: '' });
  for (const code of [0, 1, 2, 13, 69, 70]) t.match(help.stdout, new RegExp(`^ {2}${code} +\\S`, 'm'));
  t.match(await runBundle(['--version']), {
    code: 0,
    stdout: `cortexfs-object-runner ${VERSION}\n`,
    stderr: '',
  });
});

t.test('without an object: usage on stderr, exit 2', async (t) => {
  t.match(await runBundle([]), { code: 2, stdout: '', stderr: /^usage:/ });
});

t.test('what is no object is refused in one line, with the exit code of its errno', async (t) => {
  const dir = scratch(t);
  const file = (name: string, content: string) => {
    writeFileSync(join(dir, name), content);
    return join(dir, name);
  };
  mkdirSync(join(dir, 'folder'));
  execFileSync('mkfifo', [join(dir, 'fifo')]);
  symlinkSync('loop', join(dir, 'loop'));
  const cases: [string, string, number][] = [
    [join(dir, 'missing'), 'ENOENT', 1],
    [join(dir, 'folder'), 'EINVAL', 2],
    [join(dir, 'fifo'), 'EINVAL', 2],
    [join(dir, 'loop'), 'ELOOP', 1],
    [file('text', 'hello\n'), 'EINVAL', 2],
    [file('empty', ''), 'EINVAL', 2],
    [file('script', '#!/bin/sh\necho hi\n'), 'EINVAL', 2],
    [file('class', '#!/r\n# cortexfs.object=thing\n# cortexfs.name=x\n'), 'EINVAL', 2],
    [file('name', '#!/r\n# cortexfs.object=tool\n# cortexfs.name=../x\n'), 'EINVAL', 2],
    [
      file('twice', '#!/r\n# cortexfs.object=tool\n# cortexfs.name=fs.read\n# cortexfs.name=fs.stat\n'),
      'EINVAL',
      2,
    ],
    [file('big', `#!/r\n${'#'.repeat(70_000)}\n`), 'EINVAL', 2],
    [file('binary', `#!${'\0'.repeat(100)}`), 'EINVAL', 2],
  ];
  for (const [path, code, exit] of cases) {
    const { stderr, ...outcome } = await runBundle([path]);
    t.match(outcome, { code: exit, stdout: '' }, path);
    t.match(stderr, new RegExp(`^cortexfs-object-runner: ${code}: [^\\n]*\\n(hint: [^\\n]*\\n)?$`), path);
  }
});

t.test('names that this runner does not know are refused, never looked up', async (t) => {
  for (const [className, name, errno] of [
    ['tool', 'example.echo', 'ENOTSUP'],
    ['tool', 'toString', 'ENOTSUP'],
    ['tool', 'constructor', 'ENOTSUP'],
    // Anything but the offline models is what its controls say, and these have none.
    ['model', 'openai/gpt', 'ENOENT'],
    ['model', 'debug/constructor', 'ENOENT'],
  ] as const) {
    const { code, stdout, stderr } = await runBundle([objectFile(t, className, name), '{}']);
    t.match({ code, stdout }, { code: 1, stdout: '' }, name);
    t.match(stderr, new RegExp(`^cortexfs-object-runner: ${errno}: ${className}/${name}[.:]`));
  }
});

t.test('an object that its permissions close is EACCES, exit 13', async (t) => {
  const path = installation(t, {})('tool', 'fs.read');
  chmodSync(dirname(path), 0o755);
  const bundle = join(dirname(path), 'cortexfs-object-runner/dist/cortexfs-object-runner.js');
  chmodSync(path, 0);
  // In the process itself: node may lie where that user cannot reach it.
  const drop = 'process.setgroups([]); process.setgid(65534); process.setuid(65534);';
  const start = `process.argv = [process.execPath, ...process.argv.slice(1)]; require(process.argv[1]);`;
  const script = `${process.getuid!() === 0 ? drop : ''} ${start}`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script, bundle, path], { encoding: 'utf8' });
  t.match({ status, stderr }, { status: 13, stderr: /^cortexfs-object-runner: EACCES: / });
});
