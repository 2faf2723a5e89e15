import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runtimeTree } from '@cortexfs/abi/paths';
import { parseCleanupReceipt } from '@cortexfs/abi/receipt/cleanup';
import { isAlive, statOf } from '@cortexfs/linux/process';
import t from 'tap';
import { agentState } from '../../src/launch/status.ts';
import { readStatus } from '../../src/launch/status-file.ts';
import { stopAgent } from '../../src/launch/stop.ts';
import { CODER, DEFAULT } from '../site.ts';
import { askTerminal, makeRunnable, pingAgent, start } from './running.ts';

const uid = process.getuid!();
const TERMINAL_ALIAS = `home/${uid}/agent/coder/session/default/terminal/main.sock`;

t.test('start brings up both instances and stop takes everything away', async (t) => {
  const site = makeRunnable(t);
  const tree = runtimeTree(site.runtime);
  const report = await start(site);
  t.match(report, { agent: 'coder', already: false, found: [], workspace: site.workspace });
  const [host, terminal] = report.instances;
  t.match(host, {
    role: 'socket',
    supervisor: 'direct',
    uid,
    label: 'user_u:agent_r:coder_t:s0',
    socket: tree.agentSocket(CODER),
  });
  t.match(terminal, {
    role: 'terminal',
    session: 'default',
    socket: tree.terminalSocket(CODER, DEFAULT),
    workspace: site.workspace,
  });
  t.match(readStatus(site.runtime, CODER), /ready|idle/);

  t.equal(readlinkSync(join(site.root, 'agent/coder.sock')), host!.socket);
  t.equal(readlinkSync(join(site.root, TERMINAL_ALIAS)), terminal!.socket);
  t.match(await pingAgent(join(site.root, 'agent/coder.sock')), '"pong"');
  const seen = await askTerminal(join(site.root, TERMINAL_ALIAS));
  t.match(seen, {
    cwd: '/workspace',
    native: 'native',
    argv: [
      '--listen',
      '/run/cortexfs/terminal/socket/main.sock',
      '--meta',
      '/run/cortexfs/terminal/meta',
      '--agent',
      'coder',
      '--session',
      'default',
      '--',
      '/ctx/bin/tsh',
    ],
  });
  t.same(Object.keys(seen['env'] as object).sort(), [
    'CTX_AGENT',
    'CTX_AGENT_SUBJECT',
    'CTX_HOME',
    'CTX_PATH',
    'CTX_ROOT',
    'HOME',
    'LANG',
    'LOGNAME',
    'PATH',
    'SHELL',
    'TERM',
    'USER',
  ]);
  const meta = join(site.store, `home/${uid}/agent/coder/session/default/terminal/terminal-coder-default`);
  t.equal(
    readFileSync(join(meta, 'state'), 'utf8'),
    'running\n',
    "the terminal writes its records, the agent's other sessions stay read-only",
  );

  for (const { pid, start_time } of report.instances) {
    t.match(statOf(pid), { session: pid, group: pid, startTime: start_time }, 'a detached session leader');
    t.equal(readlinkSync(`/proc/${pid}/fd/0`), '/dev/null');
    t.match(readlinkSync(`/proc/${pid}/fd/2`), `${site.runtime}/log/`);
    t.equal(readlinkSync(`/proc/${pid}/cwd`), '/');
  }
  for (const path of [
    tree.socketReceipt(CODER),
    tree.terminalReceipt(CODER, DEFAULT),
    tree.agentLog(CODER),
  ]) {
    t.equal(statSync(path).mode & 0o777, 0o600, path);
  }
  t.match(agentState(site, CODER), {
    instances: [
      { role: 'socket', alive: true },
      { role: 'terminal', alive: true },
    ],
    damaged: [],
  });

  const stopped = await stopAgent(site, CODER, 'a test');
  t.match(stopped.instances, [
    { role: 'socket', outcome: 'terminated' },
    { role: 'terminal', outcome: 'terminated' },
  ]);
  for (const { pid, start_time } of report.instances) t.notOk(isAlive(pid, start_time));
  for (const path of [
    host!.socket,
    terminal!.socket,
    join(site.store, 'agent/coder.sock'),
    join(site.store, TERMINAL_ALIAS),
  ]) {
    t.notOk(existsSync(path), path);
  }
  t.same(
    readdirSync(tree.launchDir(CODER)).filter((name) => /^(socket|terminal).*json$/.test(name)),
    [],
  );
  t.equal(readStatus(site.runtime, CODER), 'dead');
  const cleanup = parseCleanupReceipt(readFileSync(tree.cleanupReceipt(CODER), 'utf8'));
  t.match(cleanup, { reason: 'a test', instances: [{ pid: host!.pid }, { pid: terminal!.pid }] });
  t.same((await stopAgent(site, CODER, 'again')).instances, [], 'nothing to stop is no error');
});

t.test('a running agent whose controls have become unusable can be seen and stopped', async (t) => {
  const site = makeRunnable(t);
  const { instances } = await start(site);
  site.write('store/agent/coder.d/policy', 'nonsense\n');
  t.match(agentState(site, CODER), { instances: [{ alive: true }, { alive: true }] });
  await t.rejects(start(site), { code: 'EINVAL', path: 'agent/coder.d/policy' });
  t.match(await stopAgent(site, CODER, 'a test'), {
    instances: [{ outcome: 'terminated' }, { outcome: 'terminated' }],
  });
  for (const { pid, start_time } of instances) t.notOk(isAlive(pid, start_time));
  t.notOk(existsSync(join(site.store, TERMINAL_ALIAS)));
  await t.rejects(
    stopAgent(site, CODER, 'again'),
    { code: 'EINVAL' },
    'nothing runs any more: the control is the news',
  );
});

t.test('a second start finds it running; another workspace is refused', async (t) => {
  const site = makeRunnable(t);
  const first = await start(site);
  const second = await start(site);
  t.equal(second.already, true);
  t.same(second.instances, first.instances);
  site.write('other/file', '');
  await t.rejects(start(site, { workspace: join(site.base, 'other') }), {
    code: 'EBUSY',
    hint: 'ctx agent stop coder',
  });
  await t.rejects(start(site, { workspace: join(site.base, 'missing') }), { code: 'ENOENT' });
  await t.rejects(
    start(site, { workspace: '/' }),
    { code: 'EACCES', path: '/', message: 'cannot be a workspace: it is the root directory' },
    'nobody is told to stop the agent for a directory that it cannot have',
  );
  const closed = join(site.base, 'closed');
  mkdirSync(closed, { mode: 0o000 });
  await t.rejects(
    start(site, { workspace: closed }),
    { code: 'EACCES' },
    'also for root: in a sandbox it has no capability',
  );
});

t.test('a terminal that cannot start leaves nothing running and says why', async (t) => {
  const site = makeRunnable(t);
  site.write('packages/ctxterm/dist/ctxterm.js', 'process.exit(3);');
  await t.rejects(start(site), {
    code: 'EHOSTDOWN',
    message: /ended before it listened/,
    hint: new RegExp(`${site.runtime}/log`),
  });
  t.equal(readStatus(site.runtime, CODER), 'dead');
  t.same(agentState(site, CODER).instances, []);
});

t.test("an error of the role's own process comes with its code", async (t) => {
  const site = makeRunnable(t, { env: 'LD_PRELOAD=/tmp/x.so\n' });
  await t.rejects(start(site), { code: 'EINVAL', path: 'agent/coder.d/env' });
  await t.rejects(start(makeRunnable(t, { policy: 'allow coder_t mont:workspace read\n' })), {
    code: 'EINVAL',
    path: 'agent/coder.d/policy',
    line: 1,
  });
  t.same(agentState(site, CODER).instances, []);
});

t.test('without a workspace grant the agent starts at home', async (t) => {
  const site = makeRunnable(t, { policy: '' });
  const { instances } = await start(site);
  t.match(await askTerminal(instances[1]!.socket), { cwd: '/home/agent' });
});
