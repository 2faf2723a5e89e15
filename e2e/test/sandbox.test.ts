import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import t, { type Test } from 'tap';
import { checkout, mountedPlace, run } from '../place.ts';
import { launchedPid, Seen, treeOf } from '../processes.ts';
import { Session } from '../session.ts';
import { until } from '../until.ts';

const SECRET = 'e2e-secret-7f3a';
const ENVIRONMENT = /^(CTX_[A-Z_]+|HOME|USER|LOGNAME|SHELL|TERM|LANG|PATH)=/;

const place = await mountedPlace(t);
await makeRepositories();
writeFileSync(`${place.folder}/secret`, SECRET);
for (const [control, line] of [
  ['agent/coder.d/policy', 'allow coder_t tool:shell.exec execute'],
  ['agent/coder.d/policy', 'allow coder_t tool:fs.write execute'],
  ['agent/coder.d/tools', 'shell.exec'],
  ['agent/coder.d/tools', 'fs.write'],
] as const)
  await place.must(t, ['append', control, line]);
// Whoever starts the agent has a secret in the environment and another on a descriptor.
const start = await run(
  '/bin/bash',
  [
    '-c',
    `exec 9<${place.folder}/secret; exec ${process.execPath} ${checkout}/dist/bin/ctx agent start coder`,
  ],
  { cwd: place.workspace, env: { ...place.env, API_KEY: SECRET } },
);
t.equal(start.code, 0, start.err);

/** What a command prints in the sandbox of a tool; `status` ends it. */
async function inside(t: Test, cmd: string): Promise<string> {
  const out = await place.must(t, ['agent', 'send', 'coder', `!call shell.exec ${JSON.stringify({ cmd })}`]);
  const { stdout, stderr } = JSON.parse(out) as { stdout: string; stderr: string };
  return stdout + stderr;
}

const terminal = () => treeOf(launchedPid(place, 'coder/terminal-default.json')).map((pid) => new Seen(pid));
const sandboxed = () => terminal().filter((process) => process.innerPid !== process.pid);

t.test('the terminal: bwrap, ctxterm and tsh, confined, seen from outside', async (t) => {
  const processes = await until('tsh', () => {
    const found = sandboxed();
    return found.some(({ command }) => command[1]?.endsWith('/tsh.js')) && found;
  });
  t.equal(processes.length, 3);
  const host = new Seen(process.pid);
  for (const seen of processes) {
    t.test(`process ${seen.innerPid}`, async (t) => {
      t.strictSame(
        seen.environment.filter((entry) => !ENVIRONMENT.test(entry)),
        [],
      );
      t.notMatch(seen.environment.join('\n') + seen.command.join(' '), SECRET);
      t.notMatch(seen.descriptors.join('\n'), 'secret');
      for (const kind of ['mnt', 'pid', 'ipc', 'uts', 'net', 'user', 'cgroup'])
        t.not(seen.namespace(kind), host.namespace(kind), kind);
      t.strictSame(seen.networks, ['lo']);
      t.equal(seen.status('NoNewPrivs'), '1');
      t.equal(seen.status('Seccomp'), '2');
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
        t.match(seen.status(set), /^0+$/, set);
    });
  }
  const [first, ctxterm, tsh] = processes;
  t.strictSame(first?.environment, [], 'process 1 shows no environment');
  t.equal(first?.innerPid, 1);
  t.notMatch(first?.command.join(' '), place.folder, 'and no host path');
  for (const seen of [ctxterm!, tsh!]) {
    t.equal(seen.folder, '/workspace');
    t.ok(seen.environment.includes('HOME=/home/agent'));
  }
});

t.test('a tool: where it is, what it has, and what it lacks', async (t) => {
  const out = await inside(
    t,
    `pwd; echo HOME=$HOME; echo BEGIN; env; tr '\\0' '\\n' </proc/1/environ; echo END
     ls -l /proc/self/fd | grep -c '[3-9] ->'; grep -E '^(Cap|Seccomp:|NoNewPrivs)' /proc/self/status
     tail -n +3 /proc/net/dev | cut -d: -f1; echo FDS; ls /proc/self/fd; echo PIDS; ls /proc | grep -c '^[0-9]'`,
  );
  t.match(out, /^\/workspace\nHOME=\/home\/agent\n/);
  const environment = /BEGIN\n(.*)END\n/s.exec(out)![1]!.trim().split('\n');
  t.strictSame(
    environment.filter((entry) => !ENVIRONMENT.test(entry) && entry !== 'PWD=/workspace'),
    [],
  );
  t.notMatch(out, SECRET);
  t.match(out, /CapEff:\t0+\nCapBnd:\t0+\n/);
  t.match(out, /NoNewPrivs:\t1\nSeccomp:\t2\n/);
  t.match(
    out,
    /\n\s*lo\nFDS\n0\n1\n2\n3\nPIDS\n\d\n/,
    'no interface but lo; 3 is the listing itself; a few processes',
  );
});

t.test('the repository around a writable workspace is read-only, nested ones too', async (t) => {
  const out = await inside(
    t,
    `echo new >written && cat written; git log --oneline | wc -l
     for f in .git/hooks/pre-commit .git/config nested/.git/hooks/pre-commit nested/.git/config main/.git/config; do
       echo evil >>$f || echo "refused $f"; done
     mv .git .g || echo kept; rm -rf nested/.git; echo 'gitdir: /tmp/evil' >linked/.git || echo 'refused linked'; cat linked/.git`,
  );
  t.match(out, /^new\n1\n/, 'the workspace can be written and git can read');
  t.equal(out.match(/Read-only file system/g)!.length >= 6, true, out);
  for (const path of ['.git/config', 'nested/.git/config', 'main/.git/config'])
    t.notMatch(readFileSync(`${place.workspace}/${path}`, 'utf8'), 'evil', path);
  for (const path of ['.git/hooks/pre-commit', 'nested/.git/hooks/pre-commit'])
    t.notOk(existsSync(`${place.workspace}/${path}`), path);
  t.match(out, /kept\n/);
  t.match(readFileSync(`${place.workspace}/linked/.git`, 'utf8'), `gitdir: ${place.workspace}/main/`);
  t.ok(statSync(`${place.workspace}/nested/.git`).isDirectory());
});

t.test('links and other ways out of the workspace lead nowhere', async (t) => {
  writeFileSync(`${place.folder}/outside`, 'outside\n');
  symlinkSync(`${place.folder}/outside`, `${place.workspace}/link`);
  linkSync(`${place.folder}/outside`, `${place.workspace}/hard`);
  const send = (text: string) => place.must(t, ['agent', 'send', 'coder', text]);
  t.match(await send('!call fs.read {"path":"/workspace/link"}'), /ENOENT|EACCES|ELOOP|EXDEV/);
  t.match(await send('!call fs.read {"path":"/workspace/../../../etc/shadow"}'), /ENOENT|EACCES/);
  t.match(await send(`!call fs.read {"path":"${place.folder}/secret"}`), /ENOENT|EACCES/);
  t.match(await send('!call fs.write {"path":"/workspace/link","content":"evil"}'), /.+/);
  t.equal(readFileSync(`${place.folder}/outside`, 'utf8'), 'outside\n');
  t.match(await send('!call fs.read {"path":"/workspace/written"}'), 'new');
});

t.test('the host is out of reach: files, processes, sockets, privileges', async (t) => {
  const path = `${place.folder}/listener`;
  const server = createServer().listen(path);
  const abstract = createServer().listen(`\0${path}`);
  t.teardown(() => {
    server.close();
    abstract.close();
  });
  const connect = (address: string) =>
    `node -e 'require("net").connect(${JSON.stringify(address)}).on("connect",()=>{console.log("in");process.exit()}).on("error",e=>console.log(e.code))'`;
  const out = await inside(
    t,
    `ls ${place.folder} /root; cat /etc/shadow /etc/profile
     kill -0 ${process.pid}; ls /proc/${process.pid}; echo SOCKETS; ${connect(path)}; ${connect(`\0${path}`).replace('\0', '\\u0000')}
     echo RIGHTS; unshare -Ur true; unshare -n true; mount -t tmpfs x /tmp; mknod n b 8 0; touch /usr/x /etc/x
     cp /bin/true s; chmod u+s s; ls -l s | cut -c1-10; nsenter -t 1 -m true
     node -e 'require("net").connect(80,"1.1.1.1").on("error",e=>console.log(e.code))'`,
  );
  t.match(out, /SOCKETS\n(ENOENT|ENOTDIR)\nECONNREFUSED\nRIGHTS\n/);
  for (const refusal of [
    `cannot access '/proc/${process.pid}'`,
    'unshare: unshare failed: Operation not permitted',
    'mknod: n: Operation not permitted',
    "touch: cannot touch '/usr/x': Read-only file system",
    "touch: cannot touch '/etc/x': Read-only file system",
    'ENETUNREACH',
  ])
    t.match(out, refusal);
  t.match(out, /shadow: (No such file|Permission denied)/);
  t.notMatch(out, SECRET);
});

t.test('/ctx is the view of this agent alone, and its own controls are read-only', async (t) => {
  const out = await inside(
    t,
    `ls /ctx; echo AGENT; ls /ctx/agent; echo TOOL; ls /ctx/tool; echo HOME; ls /ctx/home/*/agent /home/agent
     echo x >/ctx/agent/coder.d/policy; echo 5 >/ctx/agent/coder.d/window; rm -rf /home/agent/session; touch /home/agent/mine && echo mine
     /ctx/tool/fs.stat /workspace | tail -1; /ctx/tool/bash -c true; ls /ctx/.view /ctx/.view/coder`,
  );
  t.match(out, /^agent\nbin\nhome\nmodel\nshared\nstatus\ntool\nAGENT\ncoder\ncoder.d\n/);
  const tools = /TOOL\n(.*)HOME\n/s
    .exec(out)![1]!
    .split('\n')
    .filter((name) => name && !name.endsWith('.d'));
  t.strictSame(tools, [
    'agent.update',
    'fs.list',
    'fs.read',
    'fs.search',
    'fs.stat',
    'fs.write',
    'shell.exec',
    'tsh',
  ]);
  t.notMatch(out, /reviewer|architect/);
  t.match(out, /policy: Read-only file system/);
  t.match(out, /window: Read-only file system/);
  t.match(out, /session.*Read-only file system|session.*busy/);
  t.match(out, /\nmine\n.*"status":"ok"/s);
  t.match(out, /\/ctx\/tool\/bash: not found/);
  t.match(out, /cannot access '\/ctx\/.view'/);
  t.match(readFileSync(`${place.store}/agent/coder.d/policy`, 'utf8'), /^allow coder_t tool:tsh execute\n/);
});

t.test('the process of an agent step is confined as well', async (t) => {
  const sent = place.ctx(['agent', 'send', 'coder', '!sleep 1500\n!say awake']);
  const step = await until('a step', () =>
    treeOf(launchedPid(place, 'coder/socket.json'))
      .map((pid) => new Seen(pid))
      .find(
        ({ command }) =>
          command.some((word) => word.endsWith('/cortexfs-object-runner.js')) &&
          command.includes('/ctx/agent/coder'),
      ),
  );
  t.strictSame(
    step.environment.filter((entry) => !ENVIRONMENT.test(entry)),
    [],
  );
  t.ok(step.environment.includes('CTX_CONTROL_SOCKET=/run/cortexfs/control.sock'));
  t.strictSame(step.networks, ['lo']);
  t.strictSame([step.status('Seccomp'), step.status('NoNewPrivs')], ['2', '1']);
  t.match(step.status('CapEff'), /^0+$/);
  t.notMatch(step.descriptors.join('\n'), 'secret');
  t.match(await sent, { code: 0, out: 'awake\n' });
  t.notMatch(new Session(place).read('events.jsonl'), SECRET);
});

async function makeRepositories(): Promise<void> {
  const git = (folder: string, ...args: string[]) =>
    run('/usr/bin/git', ['-c', 'user.name=e2e', '-c', 'user.email=e2e@localhost', '-C', folder, ...args], {
      env: place.env,
    });
  for (const folder of ['', '/nested', '/main']) {
    mkdirSync(place.workspace + folder, { recursive: true });
    await git(place.workspace + folder, 'init', '--quiet');
    await git(place.workspace + folder, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    rmSync(`${place.workspace}${folder}/.git/hooks`, { recursive: true, force: true });
    mkdirSync(`${place.workspace}${folder}/.git/hooks`);
  }
  await git(`${place.workspace}/main`, 'worktree', 'add', '--quiet', '../linked');
}
