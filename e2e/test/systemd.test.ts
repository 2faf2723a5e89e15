import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import t from 'tap';
import { systemdMachine } from '../systemd/machine.ts';
import { startUserManager } from '../systemd/user-manager.ts';
import { until } from '../until.ts';

const machine = await systemdMachine(t);
const alice = machine.addUser('alice', 7001);
const env = await startUserManager(machine, alice);
const HOST = 'cortexfs-agent-coder.service';
const TERMINAL = 'cortexfs-terminal-coder-default.service';

const WORKSPACE = '/home/alice/work';
const START = ['agent', 'start', 'coder', '--workspace', WORKSPACE];
const ctx = (...args: string[]) => machine.ctx(args, { as: alice, env });
const must = (...args: string[]) => machine.must(args, { as: alice, env });
const status = async () => JSON.parse(await must('agent', 'status', 'coder', '--json'));

async function unit(name: string): Promise<Record<string, string>> {
  const wanted = 'ActiveState,MainPID,InvocationID,MemoryMax,TasksMax,CPUQuotaPerSecUSec,ControlGroup';
  const { out } = await machine.run(['systemctl', '--user', 'show', '--property', wanted, name], {
    as: alice,
    env,
  });
  return Object.fromEntries(out.split('\n').map((line) => line.split('=', 2)));
}

/** A process of the machine, by its number there: never 0, which is everybody here. */
async function kill(pid: string | undefined): Promise<void> {
  if (!/^[1-9]\d*$/.test(pid ?? '')) throw new Error(`no process: ${pid}`);
  await machine.run(['/bin/kill', '-KILL', pid!]);
}

t.before(async () => {
  mkdirSync(machine.at(WORKSPACE));
  chownSync(machine.at(WORKSPACE), alice.uid, alice.gid);
  await must('bootstrap', '--quiet');
  await must('mount', '--quiet');
});

t.test('where a user manager answers, both instances are its units, with limits', async (t) => {
  const said = await must(...START);
  t.match(said, `in ${HOST}`);
  t.match(said, `in ${TERMINAL}`);
  for (const [role, name] of [
    ['socket', HOST],
    ['terminal-default', TERMINAL],
  ]) {
    const file = machine.at(`/run/user/7001/cortexfs/launch/coder/${role}.json`);
    const receipt = JSON.parse(readFileSync(file, 'utf8'));
    const { ActiveState, MainPID, InvocationID, ...limits } = await unit(name!);
    t.match(receipt, { supervisor: 'systemd', unit: name, invocation: InvocationID, pid: Number(MainPID) });
    t.equal(ActiveState, 'active');
    t.match(limits, { TasksMax: '2048', MemoryMax: /^\d+$/, CPUQuotaPerSecUSec: /^\d/ });
  }
  t.match(await must(...START), /already running/);
});

t.test('the agent works in it: messages, its tools, its terminal', async (t) => {
  t.match(await must('agent', 'send', 'coder', '!call fs.list {"path":"/workspace"}'), /\[\]/);
  t.match(await must('terminal', 'list'), /^terminal-coder-default +running /);
  const [program, args, { env: there }] = machine.command(
    ['/usr/bin/env', 'node', `${machine.checkout}/dist/bin/ctx`, 'agent', 'watch', 'coder'],
    { as: alice, env },
  );
  const watch = spawn(program, args, { env: there, stdio: ['ignore', 'pipe', 'inherit'] });
  let seen = '';
  watch.stdout.on('data', (chunk) => (seen += chunk));
  await until('the screen of the terminal', () => seen.includes('tsh>'));
  watch.kill();
  t.pass('watched');
});

t.test('a unit whose process is killed is started anew, and what it left is told', async (t) => {
  const before = await unit(HOST);
  await kill(before['MainPID']);
  await until('systemd knows', async () => (await unit(HOST))['ActiveState'] !== 'active');
  t.match(await status(), { status: 'dead' });
  t.match(await must(...START), /^found: the socket host .* had ended without cleaning up/);
  const after = await unit(HOST);
  t.equal(after['ActiveState'], 'active');
  t.not(after['InvocationID'], before['InvocationID']);
  t.match(await must('agent', 'send', 'coder', '!say back'), /back/);
});

t.test('stop leaves no unit and no process', async (t) => {
  const groups = await Promise.all([HOST, TERMINAL].map(async (name) => (await unit(name))['ControlGroup']));
  t.match(await must('agent', 'stop', 'coder'), /coder is stopped\n.*terminated\n.*terminated/);
  for (const name of [HOST, TERMINAL]) t.equal((await unit(name))['ActiveState'], 'inactive');
  for (const group of groups) {
    t.match(group, /user@7001\.service/);
    const left = await machine.run(['/bin/sh', '-c', `cat /sys/fs/cgroup${group}/cgroup.procs 2>/dev/null`]);
    t.equal(left.out, '');
  }
});

t.test('words for a COMMAND are not the manager’s to expand', async (t) => {
  await must('append', 'agent/coder.d/policy', 'allow coder_t tool:bash execute');
  const command = ['bash', '-c', 'exec sleep 1000000', '$HOME $$ %h %%', '--json', 'a  b'];
  t.match(await must(...START, '--', ...command), `in ${TERMINAL}`);
  const { command: had } = JSON.parse(await must('terminal', 'status', 'coder', '--json'));
  t.same(had.slice(1), command);
  t.match(await must('agent', 'stop', 'coder'), /terminated/);
});

t.test('another unit of the same name is left alone', async (t) => {
  const other = ['systemd-run', '--user', '--quiet', `--unit=${TERMINAL}`, 'sleep', '1000'];
  t.equal((await machine.run(other, { as: alice, env })).code, 0);
  const { code, err } = await ctx(...START);
  t.equal(code, 1);
  t.match(err, `EBUSY: agent/coder: the unit ${TERMINAL} runs already, for another store or mount\nhint: `);
  t.equal((await unit(TERMINAL))['ActiveState'], 'active');
  t.match(await must(...START, '--supervisor', 'direct'), /coder is ready/);
  t.match((await status()).instances, [{ role: 'socket' }, { role: 'terminal' }]);
  t.match(await must('agent', 'stop', 'coder'), /terminated/);
  await machine.run(['systemctl', '--user', 'stop', TERMINAL], { as: alice, env });
});

t.test('what a role says of its failure is told by the start', async (t) => {
  const bubblewrap = machine.at('/usr/bin/bwrap');
  renameSync(bubblewrap, `${bubblewrap}-away`);
  const { code, err } = await ctx(...START);
  renameSync(`${bubblewrap}-away`, bubblewrap);
  t.equal(code, 69);
  t.match(err, /bwrap.*\nhint: .*bubblewrap/);
  t.equal((await unit(TERMINAL))['ActiveState'], 'inactive');
  t.throws(() => statSync(machine.at('/run/user/7001/cortexfs/log/terminal-coder:default.log.report')), {
    code: 'ENOENT',
  });
});

t.test(
  'systemd that is asked for by name and does not answer is an error, not another supervisor',
  async (t) => {
    const without = { ...env, XDG_RUNTIME_DIR: '/home/alice' };
    const start = [
      'agent',
      'start',
      'coder',
      '--root',
      '/run/user/7001/cortexfs/ctx',
      '--supervisor',
      'systemd',
    ];
    const { code, err } = await machine.ctx(start, { as: alice, env: without });
    t.equal(code, 69, err);
    t.match(err, /EHOSTDOWN: no systemd user manager answers/);
  },
);
