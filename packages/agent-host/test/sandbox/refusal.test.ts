import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { loadDefinition } from '../../src/definition/load.ts';
import { environmentOf } from '../../src/sandbox/environment.ts';
import { setupRefusal } from '../../src/sandbox/refusal.ts';
import { CODER, makeSite } from '../site.ts';
import { runScript } from './run.ts';

const RUNNER = new URL('./run-one.ts', import.meta.url).pathname;

t.test('user namespaces forbidden: refused with the reason, nothing runs', async (t) => {
  const site = makeSite(t);
  // A namespace of our own in which further ones are forbidden: the machine's setting stays as it is.
  const script = `echo 0 > /proc/sys/user/max_user_namespaces; exec "$0" "$@"`;
  const { stderr, stdout, status } = spawnSync(
    'unshare',
    [
      '--user',
      '--map-root-user',
      '/bin/sh',
      '-c',
      script,
      process.execPath,
      '--import',
      import.meta.resolve('tsx'),
      RUNNER,
      JSON.stringify(site),
      'echo RAN',
    ],
    { encoding: 'utf8', env: { ...process.env, HOME: '/nonexistent' } },
  );
  t.not(status, 0);
  t.notMatch(stdout, 'RAN');
  t.match(stderr, /EPERM/);
  t.match(stderr, /user namespaces are forbidden here/);
  t.match(stderr, /max_user_namespaces/, 'the hint names the setting');
  t.equal((await runScript(site, 'echo RAN')).stdout, 'RAN\n', 'where they are allowed it runs');
});

t.test('a bwrap in the working directory or on PATH is not run', async (t) => {
  const site = makeSite(t);
  const planted = join(site.base, 'planted');
  mkdirSync(planted);
  writeFileSync(join(planted, 'bwrap'), `#!/bin/sh\ntouch ${site.base}/planted-ran\n`);
  chmodSync(join(planted, 'bwrap'), 0o755);
  const { stdout } = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), RUNNER, JSON.stringify(site), 'echo RAN; ls /'],
    {
      encoding: 'utf8',
      cwd: planted,
      env: { ...process.env, PATH: `${planted}:.:${process.env['PATH']}` },
    },
  );
  t.match(stdout, /^RAN\n/);
  t.throws(() => accessSync(join(site.base, 'planted-ran')), { code: 'ENOENT' });
});

t.test('programs and values that begin with a dash or hold strange bytes', async (t) => {
  const site = makeSite(t);
  await t.rejects(runScript(site, 'true', { argv: ['--bind', '/', '/host'] }), { code: 'EINVAL' });
  await t.rejects(runScript(site, 'true', { argv: ['/a=b'] }), { code: 'EINVAL' });
  await t.rejects(runScript(site, 'true', { env: { CTX_X: 'a\0--bind\0/\0/host' } }), { code: 'EINVAL' });
  const { stdout } = await runScript(site, '', {
    argv: ['/bin/echo', '--bind', '/', '-- x', '$(id)', 'a\nb'],
  });
  t.equal(stdout, '--bind / -- x $(id) a\nb\n');
  const odd = join(site.base, '--ro-bind x');
  mkdirSync(odd);
  writeFileSync(join(odd, '-n'), 'dash\n');
  t.equal((await runScript(site, 'cat ./-n', { workspace: odd })).stdout, 'dash\n');
});

t.test('variables that only the runtime may set', async (t) => {
  for (const line of [
    'PATH=/tmp',
    'HOME=/tmp',
    'LD_PRELOAD=/tmp/x.so',
    'NODE_OPTIONS=--require=/tmp/x.js',
    'BASH_ENV=/tmp/x',
    'CTX_ROOT=/tmp',
  ]) {
    const site = makeSite(t, { env: `${line}\n` });
    await t.rejects(runScript(site, 'true'), { code: 'EINVAL', path: 'agent/coder.d/env' }, line);
  }
  const definition = loadDefinition(makeSite(t).store, CODER);
  for (const name of ['PATH', 'LD_PRELOAD', 'CTX_', 'CTX_HOME', 'ctx_x']) {
    t.throws(() => environmentOf(definition, { [name]: 'x' }), { code: 'EINVAL' }, name);
  }
  t.notOk(environmentOf({ ...definition, path: [] }).has('CTX_PATH'), 'absent, not empty');
});

t.test('a definition for somebody else is not run by an unprivileged user', async (t) => {
  const site = makeSite(t);
  site.write('store/agent/coder.d/uid', '65533\n');
  site.write('store/agent/coder.d/gid', '65533\n');
  if (process.getuid!() !== 0) {
    await t.rejects(runScript(site, 'id -u'), { code: 'EPERM', path: 'agent/coder.d/uid' });
    return;
  }
  const sessions = join(site.store, 'home/0/agent/coder/session');
  mkdirSync(sessions, { recursive: true });
  for (const path of [sessions, dirname(sessions)]) chownSync(path, 65533, 65533);
  const script = 'id -u; id -G; grep -c Cap.*0000000000000000 /proc/self/status';
  if (!isOpenToAll(import.meta.dirname)) {
    // That user could not run this checkout either.
    await t.rejects(runScript(site, script), { code: 'EACCES', message: /Permission denied/ });
    return;
  }
  const { stdout } = await runScript(site, script);
  t.equal(stdout, '65533\n65533\n5\n', 'root becomes that user');
});

function isOpenToAll(path: string): boolean {
  return (statSync(path).mode & 0o001) !== 0 && (path === '/' || isOpenToAll(dirname(path)));
}

t.test("bubblewrap's words become an errno name", async (t) => {
  const exit = { code: 1, signal: null };
  t.match(setupRefusal('bwrap: No permissions to create new namespace, likely because …', exit), {
    code: 'EPERM',
  });
  t.match(setupRefusal('bwrap: setting up uid map: Permission denied', exit), { code: 'EPERM' });
  t.match(setupRefusal('bwrap: Creating new namespace failed: No space left on device', exit), {
    code: 'EPERM',
  });
  t.match(setupRefusal("bwrap: Can't bind mount /x on /newroot/x: Permission denied", exit), {
    code: 'EACCES',
  });
  t.match(setupRefusal("bwrap: Can't find source path /x: No such file or directory", exit), { code: 'EIO' });
  t.match(setupRefusal('', { code: null, signal: 'SIGKILL' }), { code: 'ETIMEDOUT' });
  t.match(setupRefusal('', { code: 1, signal: null }), { code: 'EIO', message: /exit code 1/ });
});
