import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '@cortexfs/linux/process';
import t from 'tap';
import { launchSandboxed } from '../../src/sandbox/launch.ts';
import { endOrphans } from '../../src/sandbox/orphans.ts';
import { makeSite, type TestSite } from '../site.ts';
import { runScript, specOf } from './run.ts';

t.test('the environment is the allowlist, also that of the first process', async (t) => {
  process.env['SECRET_TOKEN'] = 'do-not-show';
  const { stdout, stderr, code } = await runScript(
    makeSite(t, { env: 'EDITOR=vi\nstep_timeout_s=5\n' }),
    'env -u PWD; echo --; cat /proc/1/environ | tr "\\0" "\\n"; echo --; tr "\\0" "\\n" </proc/$$/environ',
    { env: { CTX_RUN_ID: 'run-1' } },
  );
  delete process.env['SECRET_TOKEN'];
  t.same({ code, stderr }, { code: 0, stderr: '' });
  const [own, first, shell] = stdout
    .split('--\n')
    .map((part) => part.trim().split('\n').filter(Boolean).sort());
  const expected = [
    'CTX_AGENT=coder',
    'CTX_AGENT_SUBJECT=coder_t',
    `CTX_HOME=/ctx/home/${process.getuid!()}`,
    'CTX_PATH=/ctx/tool',
    'CTX_ROOT=/ctx',
    'CTX_RUN_ID=run-1',
    'EDITOR=vi',
    'HOME=/home/agent',
    'LANG=C.UTF-8',
    'LOGNAME=coder',
    'PATH=/usr/bin:/bin',
    'SHELL=/usr/bin/bash',
    'TERM=xterm-256color',
    'USER=coder',
  ];
  t.same(own, expected);
  t.same(shell, expected);
  t.same(first, [], 'bubblewrap itself was started with nothing');
});

t.test('no host path in the arguments of the first process', async (t) => {
  const site = makeSite(t);
  const { stdout } = await runScript(site, 'tr "\\0" " " </proc/1/cmdline');
  t.match(stdout, 'bwrap --args 3');
  t.notMatch(stdout, site.base);
});

t.test('descriptors of the launcher do not get in, whoever left them open', async (t) => {
  const site = makeSite(t);
  writeFileSync(join(site.base, 'secret'), 'do-not-show');
  const secret = openSync(join(site.base, 'secret'), 'r');
  t.teardown(() => closeSync(secret));
  // As a careless parent leaves it: without close-on-exec, far above those that node looks at.
  const script = `exec 200<${site.base}/secret; exec "$0" "$@"`;
  const runner = new URL('./run-one.ts', import.meta.url).pathname;
  const stdout = execFileSync(
    '/bin/bash',
    [
      '-c',
      script,
      process.execPath,
      '--import',
      import.meta.resolve('tsx'),
      runner,
      JSON.stringify(site),
      'ls /proc/self/fd; echo; readlink /proc/1/fd/[3-9] /proc/1/fd/??*; true',
    ],
    { encoding: 'utf8' },
  );
  const [own, first] = stdout.split('\n\n');
  t.same(own!.split('\n'), ['0', '1', '2', '3'], '3 is the directory that ls reads');
  t.match(
    first!.trim(),
    /^(socket:\[\d+\]|\n|anon_inode:\[eventfd\])+$/,
    "bubblewrap's own, of no use to anybody",
  );
  const reopened = await runScript(
    site,
    'for f in /proc/1/fd/[3-9] /proc/1/fd/??*; do (cat < $f) 2>&1; done; true',
  );
  t.match(reopened.stdout, /No such device or address/);
  t.notMatch(reopened.stdout, /do-not-show/);
});

t.test('no capability, no new privileges, a filter, whoever launched it', async (t) => {
  const { stdout } = await runScript(makeSite(t), 'cat /proc/self/status; id -u; id -g');
  t.same(
    stdout.match(/^Cap\w+:\t\w+$/gm)?.map((line) => line.split('\t')[1]),
    Array(5).fill('0000000000000000'),
  );
  t.match(stdout, /^NoNewPrivs:\t1$/m);
  t.match(stdout, /^Seccomp:\t2$/m);
  t.match(stdout, new RegExp(`^${process.getuid!()}\n${process.getgid!()}\n`, 'm'), 'uid and gid are kept');
});

t.test('set-uid programs gain nothing and devices are dead', async (t) => {
  const site = makeSite(t);
  copyFileSync('/usr/bin/id', join(site.workspace, 'setuid-id'));
  chmodSync(join(site.workspace, 'setuid-id'), 0o6755);
  if (process.getuid!() === 0)
    execFileSync('mknod', ['-m', '666', join(site.workspace, 'null'), 'c', '1', '3']);
  const { stdout } = await runScript(
    site,
    './setuid-id -u; grep -c . /proc/self/status >/dev/null; cat null 2>&1; echo ok > plain; cat plain; findmnt -no OPTIONS /workspace || grep " /workspace " /proc/mounts',
  );
  t.match(stdout, new RegExp(`^${process.getuid!()}\n`));
  t.match(stdout, /nosuid,nodev/);
  if (process.getuid!() === 0) t.match(stdout, /cat: null: Permission denied/);
  t.match(stdout, /^ok$/m, 'an ordinary file works');
});

t.test('only its own processes exist', async (t) => {
  const { stdout } = await runScript(
    makeSite(t),
    `ls /proc | grep -c '^[0-9]'; ls -d /proc/${process.pid} 2>&1; kill -0 ${process.pid} 2>&1; sleep 5 & kill $! && echo own`,
  );
  const [count] = stdout.split('\n');
  t.ok(Number(count) <= 4, `${count} processes`);
  t.match(stdout, `cannot access '/proc/${process.pid}'`);
  t.match(stdout, /No such process/);
  t.match(stdout, /^own$/m, 'its own child can be signalled');
});

t.test('the kernel cannot be set from inside, also when root launched it', async (t) => {
  const pattern = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
  const { stdout } = await runScript(
    makeSite(t),
    `for f in /proc/sys/kernel/core_pattern /proc/sys/vm/drop_caches /proc/sysrq-trigger /proc/irq/default_smp_affinity /proc/mtrr; do
       (echo x > $f) 2>/dev/null && echo "WROTE $f"; done
     for f in /proc/keys /proc/kcore /proc/kmsg /proc/timer_list; do cat $f >/dev/null 2>&1 && echo "READ $f"; done
     cat /proc/sys/kernel/ostype; cat /proc/meminfo >/dev/null && echo readable`,
  );
  t.equal(stdout, 'Linux\nreadable\n');
  t.equal(readFileSync('/proc/sys/kernel/core_pattern', 'utf8'), pattern);
});

t.test('no network without network:default connect', async (t) => {
  const server = createServer((socket) => socket.end('host'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  const site = makeSite(t);
  const script = `
    exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3
    (echo > /dev/udp/8.8.8.8/53) 2>&1
    getent hosts example.org || echo no-name
    ls /sys/class/net 2>/dev/null; tail -n +3 /proc/net/dev | cut -d: -f1`;
  const inBash = (site: ReturnType<typeof makeSite>) =>
    runScript(site, `exec bash -c "$CTX_SCRIPT"`, { env: { CTX_SCRIPT: script } });
  const refused = await inBash(site);
  t.notMatch(refused.stdout, /host/);
  t.match(refused.stderr + refused.stdout, /Connection refused/);
  t.match(refused.stdout, /Network is unreachable.*no-name.*lo/s);
  const allowed = await inBash(makeSite(t, { policy: 'allow coder_t network:default connect\n' }));
  t.match(allowed.stdout, /^host/, 'the same connection goes through when policy grants it');
});

t.test('sockets of the host are not reachable, by path or by abstract name', async (t) => {
  const site = makeSite(t);
  const path = join(site.base, 'host.sock');
  const abstract = `cortexfs-test-${process.pid}`;
  for (const address of [path, `\0${abstract}`]) {
    const server = createServer((socket) => socket.end('host'));
    server.listen(address);
    await once(server, 'listening');
    t.teardown(() => server.close());
  }
  const client = `
    const { connect, createServer } = require('node:net');
    const inside = createServer((socket) => socket.end('inside')).listen('/tmp/inside.sock', async () => {
      for (const address of ${JSON.stringify([path, `\0${abstract}`, '/run/docker.sock', '/run/dbus/system_bus_socket', '/tmp/.X11-unix/X0', '/tmp/inside.sock'])})
        await new Promise((resolve) => connect(address).on('data', (data) => console.log(String(data))).on('error', (error) => console.log(error.code)).on('close', resolve));
      inside.close();
    });`;
  const { stdout } = await runScript(site, 'exec "$CTX_NODE" -e "$CTX_PROGRAM"', {
    env: { CTX_NODE: process.execPath, CTX_PROGRAM: client },
  });
  t.same(stdout.trim().split('\n'), ['ENOENT', 'ECONNREFUSED', 'ENOENT', 'ENOENT', 'ENOENT', 'inside']);
});

t.test('host files are not there; what there is of the system is read-only', async (t) => {
  const site = makeSite(t);
  const { stdout } = await runScript(
    site,
    `ls -A / | tr '\\n' ' '; echo; ls -A /etc | tr '\\n' ' '; echo; cat /etc/passwd
     for p in /x /usr/x /etc/x /dev/x /ctx/x /proc/x /home/x /home/agent/session/x; do (echo > $p) 2>/dev/null && echo "WROTE $p"; done
     echo > /tmp/x && echo > /home/agent/x && echo > /workspace/x && echo > /dev/shm/x && echo > /var/tmp/x && echo own-places-writable
     bash -lc 'echo login=$PATH'; cat ${site.base}/store/agent/coder.d/policy`,
  );
  const [root, etc, ...rest] = stdout.split('\n');
  const shown = ['ctx', 'dev', 'etc', 'home', 'proc', 'tmp', 'usr', 'var', 'workspace'];
  // The launchers' packages are shown where they are installed.
  const installed = import.meta.dirname.split('/')[1]!;
  t.same(
    root!.match(/\S+/g)?.filter((name) => !/^(lib.*|s?bin)$/.test(name)),
    [...new Set([...shown, installed])].sort(),
  );
  for (const name of [
    'profile',
    'profile.d',
    'bash.bashrc',
    'shadow',
    'environment',
    'hostname',
    'machine-id',
  ]) {
    t.notOk(etc!.split(' ').includes(name), `no /etc/${name}`);
  }
  t.equal(rest.filter((line) => line.includes(':x:')).length, 2, 'the agent and nobody');
  t.notMatch(stdout, /WROTE/);
  t.match(stdout, /own-places-writable/);
  t.match(stdout, /login=/, 'a login shell starts');
});

t.test('temporary file systems are bounded', async (t) => {
  const { stdout } = await runScript(makeSite(t), 'df -k --output=size /tmp /dev/shm | tail -n +2');
  t.same(stdout.trim().split(/\s+/), ['524288', '65536']);
});

t.test('a program that detaches itself ends with the sandbox', async (t) => {
  const site = makeSite(t);
  const marker = join(site.workspace, 'beat');
  const { stdout } = await runScript(
    site,
    `setsid sh -c 'while :; do date +%s%N > beat; sleep 0.02; done' </dev/null >/dev/null 2>&1 & while [ ! -s beat ]; do sleep 0.02; done; echo main-ends`,
  );
  t.match(stdout, 'main-ends');
  t.ok(beats(marker), 'it ran');
  await allEnd(site);
});

t.test('terminate ends a program that ignores SIGTERM, and its children', async (t) => {
  const site = makeSite(t);
  const sandboxed = await launchSandboxed(
    specOf(site, ['/bin/sh', '-c', `trap '' TERM; sleep 100 & echo up; while :; do sleep 1; done`]),
    () => {},
  );
  await once(sandboxed.stdout!, 'data');
  const exit = await sandboxed.terminate();
  t.not(exit.code, 0);
  t.notOk(isAlive(sandboxed.pid, sandboxed.startTime));
  t.same(await sandboxed.terminate(), exit, 'a second time is harmless');
});

t.test('terminate gives a program the time to leave by itself', async (t) => {
  const site = makeSite(t);
  const sandboxed = await launchSandboxed(
    specOf(site, [
      '/bin/sh',
      '-c',
      `trap 'echo bye > bye; exit 7' TERM; echo up; while :; do sleep 0.01; done`,
    ]),
    () => {},
  );
  await once(sandboxed.stdout!, 'data');
  t.same(await sandboxed.terminate(), { code: 7, signal: null });
  t.equal(readFileSync(join(site.workspace, 'bye'), 'utf8'), 'bye\n');
});

t.test('a launcher that dies before it has registered the program never lets it start', async (t) => {
  const site = makeSite(t);
  const runner = new URL('./run-one.ts', import.meta.url).pathname;
  for (let round = 0; round < 3; round++) {
    const launcher = spawn(
      process.execPath,
      ['--import', import.meta.resolve('tsx'), runner, JSON.stringify(site), 'touch started', 'die-held'],
      { stdio: 'ignore' },
    );
    t.same(await once(launcher, 'exit'), [null, 'SIGKILL']);
    await delay(100);
    t.notOk(existsSync(join(site.workspace, 'started')));
  }
  endOrphans();
  // What waited for a release that nobody can give.
  await allEnd(site);
  t.notOk(existsSync(join(site.workspace, 'started')));
});

t.test('a sandbox whose launcher lives is no orphan', async (t) => {
  const site = makeSite(t);
  const { stdout } = await runScript(site, 'echo lived', {}, () => {
    t.not(sandboxesOf(site).length, 0, 'it is held now');
    endOrphans();
  });
  t.equal(stdout, 'lived\n');
});

/** The processes that a site's paths are mounted for in a namespace of their own. */
function sandboxesOf({ workspace }: TestSite): number[] {
  const mountsOf = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && mountsOf(pid).includes(` ${workspace} /workspace `));
}

/** Waits until no process of the site's sandboxes is left. */
async function allEnd(site: TestSite): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await delay(20)) {
    const left = sandboxesOf(site);
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`still there: ${left.join(' ')}`);
  }
}

t.test('kill -9 of the launcher alone ends everything', async (t) => {
  const site = makeSite(t);
  const marker = join(site.workspace, 'beat');
  mkdirSync(join(site.base, 'x'));
  const runner = new URL('./run-one.ts', import.meta.url).pathname;
  const launcher = spawn(
    process.execPath,
    [
      '--import',
      import.meta.resolve('tsx'),
      runner,
      JSON.stringify(site),
      'while :; do date +%s%N > beat; sleep 0.02; done',
    ],
    { stdio: 'ignore' },
  );
  t.teardown(() => launcher.kill('SIGKILL'));
  for (let tries = 0; tries < 3000 && !beats(marker); tries++) await delay(20);
  t.ok(beats(marker), 'it runs');
  launcher.kill('SIGKILL');
  await once(launcher, 'exit');
  await allEnd(site);
});

function beats(path: string): boolean {
  try {
    return readFileSync(path, 'utf8') !== '';
  } catch {
    return false;
  }
}
