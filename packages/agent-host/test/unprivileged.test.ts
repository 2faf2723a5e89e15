import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { addUser, deleteUser } from '../../../setup/test-user.ts';

/** The attacks of these files, made once more by somebody without any privilege. */
const FILES = [
  'sandbox/isolation.test.ts',
  'sandbox/workspace.test.ts',
  'sandbox/syscalls.test.ts',
  'launch/start.test.ts',
];

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const LOADER = fileURLToPath(import.meta.resolve('tsx'));

if (process.getuid!() !== 0) {
  t.pass('this run is an unprivileged one already');
} else {
  const name = `cxi-${process.pid}`;
  const base = mkdtempSync('/tmp/cxu-');
  t.teardown(() => {
    deleteUser(name);
    rmSync(base, { recursive: true, force: true });
  });
  chmodSync(base, 0o755);
  mkdirSync(join(base, 'repository'));
  mkdirSync(join(base, 'home'));
  addUser(name, join(base, 'home'), '/bin/sh');
  const id = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout);
  chownSync(join(base, 'home'), id('-u'), id('-g'));
  // The checkout may lie where only root can go: it is shown at another place, to these processes only.
  const script = 'mount --bind "$1" "$2" && cd "$2/packages/agent-host" && shift 2 && exec "$@"';
  // One after the other, and each within the limit of one file.
  for (const file of FILES) {
    t.test(`${file} as a fresh user`, async (t) => {
      const child = spawn(
        'unshare',
        [
          ...['--mount', '/bin/sh', '-c', script, 'sh', REPOSITORY, join(base, 'repository')],
          ...['setpriv', '--reuid', name, '--regid', name, '--init-groups', '--no-new-privs'],
          ...[
            process.execPath,
            '--import',
            LOADER.replace(REPOSITORY, join(base, 'repository/')),
            join('test', file),
          ],
        ],
        {
          env: {
            PATH: '/usr/bin:/bin',
            HOME: join(base, 'home'),
            TAP_TIMEOUT: process.env['TAP_TIMEOUT'] ?? '180',
            TSX_DISABLE_CACHE: '1',
          },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ]);
      t.equal(code, 0, `${stdout.match(/^ *not ok.*(\n(?!ok|# ).*){0,25}/m)?.[0] ?? ''}${stderr}`);
      t.match(stdout, /^# \{ total: \d+, pass: \d+ \}$/m);
    });
  }
}
