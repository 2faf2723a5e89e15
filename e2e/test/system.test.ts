import { existsSync, readFileSync, statSync } from 'node:fs';
import t from 'tap';
import { type Account, OwnMachine } from '../own-machine.ts';
import { until } from '../until.ts';

const machine = await OwnMachine.boot(t);
/** One with a login session, one without, as over plain su. */
const alice = machine.addUser('alice', 7001);
const bob = machine.addUser('bob', 7002, [], false);

t.test('root sets up the machine’s deployment; others are told that it is root’s', async (t) => {
  for (const args of [
    ['bootstrap', '--system'],
    ['mount', '--system'],
    ['umount', '--system'],
  ]) {
    const { code, err } = await machine.ctx(args, { as: alice });
    t.equal(code, 13, args.join(' '));
    t.match(err, /^ctx: EPERM: the system deployment is root’s.*\nhint: run it as root/);
  }
  t.match(await machine.ctx(['mount', '--system']), { code: 1, err: /hint: ctx bootstrap --system/ });
  t.match(await machine.must(['bootstrap', '--system']), /written: \/var\/lib\/cortexfs\/storage\/current/);
  t.match(await machine.must(['bootstrap', '--system']), /already complete/);
  t.match(await machine.ctx(['mount', '--system', '--plain']), { code: 2, err: /would keep the users/ });
  t.match(
    await machine.must(['mount', '--system']),
    /^mounted \/var\/lib\/cortexfs\/storage\/current at \/ctx/,
  );
  t.match(await machine.must(['mount', '--system']), /^already mounted/);
  t.match(statSync(machine.at('/run/cortexfs')).mode & 0o777, 0o755);
  t.equal(statSync(machine.at('/run/cortexfs/log')).mode & 0o777, 0o700);
});

t.test('everybody finds it, and their own places with it', async (t) => {
  const env = async (as: Account, more: NodeJS.ProcessEnv = {}) =>
    JSON.parse(await machine.must(['env', '--json'], { as, env: more }));
  const system = { kind: 'system', root: '/ctx', store: '/var/lib/cortexfs/storage/current' };
  t.match(await env(alice), {
    ...system,
    runtime: '/run/user/7001/cortexfs',
    config: '/home/alice/.config/cortexfs',
  });
  t.match(await env(bob), { ...system, runtime: '/tmp/cortexfs-7002' });
  t.match(await env(bob, { CTX_ROOT: '/elsewhere' }), { kind: 'user', root: '/elsewhere' });
  t.match(
    await machine.must(['status'], { as: alice }),
    /coder +dead +0 sessions, of uid 0\n(.*\n)*try +ask root/,
  );
  t.match(JSON.parse((await machine.ctx(['env', '--json'])).out), { ...system, runtime: '/run/cortexfs' });
  const { code } = await machine.ctx(['umount'], { as: alice });
  t.equal(code, 13, 'the one in use is not alice’s to unmount');
});

t.test('agents of two users run on the one mount, each as its owner', async (t) => {
  // One is given by root, the other made by its owner.
  for (const control of ['owner', 'uid', 'gid'])
    await machine.must(['set', `agent/coder.d/${control}`, `${alice.uid}`]);
  const made = `cd /ctx/agent; mkdir helper.d; cd helper.d; cp ../coder.d/path ../coder.d/model ../coder.d/abi ../coder.d/policy .
    echo user_u:agent_r:coder_t:s0 >label; echo agent:architect >parent; touch ../helper`;
  t.match(await machine.run(['/bin/sh', '-ec', made], { as: bob }), { code: 0, err: '' });

  const agent = (verb: string, name: string, as?: Account) =>
    machine.ctx(['agent', verb, name, ...(verb === 'start' ? ['--workspace', work(as)] : [])], { as });
  const work = (as?: Account) => `/home/${as?.name ?? 'alice'}/work`;
  for (const user of [alice, bob]) await machine.run(['mkdir', work(user)], { as: user });

  t.match(await agent('start', 'coder', bob), {
    code: 13,
    err: 'agent-host: EACCES: agent/coder: it belongs to uid 7001, not to uid 7002\nhint: ctx status lists the agents\n',
  });
  t.match(await agent('start', 'coder'), { code: 13, err: /hint: sudo -u '#7001' ctx agent start coder/ });

  const [coder, helper] = await Promise.all([agent('start', 'coder', alice), agent('start', 'helper', bob)]);
  t.match(coder, { code: 0, err: '' });
  t.match(helper, { code: 0, err: '' });
  for (const as of [alice, bob, undefined]) {
    const { out } = await machine.ctx(['status', '--json'], { as });
    const states = Object.fromEntries(
      (JSON.parse(out) as { agents: { name: string; status: string }[] }).agents.map((a) => [
        a.name,
        a.status,
      ]),
    );
    t.match(states, { coder: /ready|idle/, helper: /ready|idle/, architect: 'dead' });
  }
  const link = async (path: string) => (await machine.run(['readlink', `/ctx/${path}`], { as: alice })).out;
  t.equal(await link('agent/coder.sock'), '/run/user/7001/cortexfs/agent/coder.sock\n');
  t.equal(await link('agent/helper.sock'), '/tmp/cortexfs-7002/agent/helper.sock\n');
  const pid = readFileSync(machine.at('/ctx/agent/coder.d/pid'), 'utf8').trim();
  t.equal((await machine.run(['stat', '-c', '%u', `/proc/${pid}`])).out, '7001\n');

  t.match(await machine.ctx(['agent', 'send', 'coder', '!say hello'], { as: alice }), {
    code: 0,
    out: /hello/,
  });
  t.equal((await machine.ctx(['agent', 'send', 'coder', '!say hello'], { as: bob })).code === 0, false);
  t.match(await agent('status', 'coder', bob), { code: 0, out: /^coder: (ready|idle)\n$/ });
  t.match(await agent('stop', 'coder', bob), { code: 13, err: /belongs to uid 7001/ });
  t.match(await machine.ctx(['umount', '--system']), { code: 1, err: /in use by running agents: .*coder/ });
  t.match(await machine.ctx(['agent', 'stop', '--all'], { as: bob }), {
    code: 0,
    out: /^helper is stopped/,
  });
  t.match(await agent('stop', 'coder', alice), { code: 0, out: /^coder is stopped/ });
  t.equal(await link('agent/coder.sock'), '', 'its alias is gone');
});

t.test(
  'an agent whose uid or gid is not that of its owner is refused, with the control that says so',
  async (t) => {
    for (const [control, ids] of [
      ['uid', '7002:7001'],
      ['gid', '7001:7002'],
    ] as const) {
      await machine.must(['set', `agent/coder.d/${control}`, `${bob.uid}`]);
      const start = ['agent', 'start', 'coder', '--workspace', '/home/alice/work'];
      const { code, err } = await machine.ctx(start, { as: alice });
      t.equal(code, 13, control);
      t.equal(
        err,
        `agent-host: EPERM: agent/coder.d/${control}: runs as ${ids}, but this process is 7001:7001\nhint: run as uid ${ids.split(':')[0]}, or write your own ids to the controls uid and gid\n`,
      );
      t.equal((await machine.run(['readlink', '/ctx/agent/coder.sock'])).out, '', 'nothing of it is left');
      await machine.must(['set', `agent/coder.d/${control}`, `${alice.uid}`]);
    }
  },
);

t.test('after the daemon was killed everybody gets ENOTCONN until root mounts again', async (t) => {
  const pid = JSON.parse(readFileSync(machine.at('/run/cortexfs/mount.json'), 'utf8')).pid as number;
  await machine.run(['kill', '-9', `${pid}`]);
  await until('the mount is dead', async () => {
    const { err } = await machine.run(['cat', '/ctx/status'], { as: bob });
    return err.includes('Transport endpoint is not connected');
  });
  t.match(await machine.ctx(['status'], { as: bob }), {
    code: 69,
    out: /mount is dead.*\n(.*\n)*try +as root: ctx mount --system/,
  });
  t.match(await machine.must(['mount', '--system']), /^found: the daemon of the last mount .*\nmounted /);
  t.match(await machine.ctx(['status'], { as: bob }), { code: 0 });
});

t.test('users have mounts of their own beside it', async (t) => {
  const own = { as: alice, env: { XDG_RUNTIME_DIR: '/run/user/7001' } };
  await machine.must(['bootstrap', '--quiet'], own);
  const root = '/run/user/7001/cortexfs/ctx';
  t.match(await machine.must(['mount'], own), new RegExp(`at ${root} `));
  const env = JSON.parse(await machine.must(['env', '--json', '--root', root], own));
  t.match(env, { kind: 'user', store: '/home/alice/.local/share/cortexfs/store', root });
  t.equal(await machine.must(['root'], own), '/ctx\n', 'the machine’s comes first');
  t.equal((await machine.run(['ls', root])).code === 0, false, 'a user’s own is theirs alone');
  t.equal(await machine.must(['umount'], own), `unmounted ${root}\n`);
});

t.test(
  'models of the machine are root’s to add and everybody’s to use; keys are each one’s own',
  async (t) => {
    const add = ['model', 'add', 'ollama', '--model', 'm:1', '--no-try'];
    t.match(await machine.ctx(add, { as: alice }), { code: 13, err: /^ctx: EPERM: model: .*root’s/ });
    t.match(await machine.ctx([...add, '--key-file', '-'], { input: 'sk-of-root-alone\n' }), {
      code: 0,
      err: '',
    });
    await machine.must(['set', 'model/ollama/m-1.d/default', 'retry_budget_s=0']);
    const key = '/var/lib/cortexfs/secrets/provider/ollama/default';
    t.equal(statSync(machine.at(key)).mode & 0o7777, 0o600);
    t.equal(statSync(machine.at('/etc/cortexfs/providers.d/ollama.json')).mode & 0o7777, 0o644);
    t.match(await machine.run(['cat', key], { as: alice }), { code: 1, out: '' });
    const keys = async (as?: Account) =>
      (
        JSON.parse(await machine.must(['model', 'list', '--json'], { as })) as {
          model: string;
          key: string;
        }[]
      )
        .filter(({ model }) => model === 'ollama/m-1')
        .map((row) => row.key);
    t.strictSame([await keys(), await keys(alice)], [['set'], ['none']]);
    const executed = await machine.run(['/ctx/model/ollama/m-1', 'hello'], { as: alice });
    t.match(executed, { code: 69, out: /"code":"EHOSTDOWN"/ }, 'alice’s call goes to root’s provider');
    t.match(await machine.must(['model', 'remove', 'ollama']), /removed +provider ollama and its key/);
    t.notOk(existsSync(machine.at(key)));
  },
);

t.test('npm run undo takes back what is root’s own, and nothing of the machine’s', async (t) => {
  await machine.must(['bootstrap', '--quiet']);
  const own = JSON.parse(await machine.must(['env', '--own', '--json'])) as { kind: string; store: string };
  t.match(own, { kind: 'user', store: '/root/.local/share/cortexfs/store' });
  t.match(await machine.node([`${machine.checkout}/setup/undo.mjs`]), { code: 0 });
  t.notOk(existsSync(machine.at(own.store)));
  t.ok(existsSync(machine.at('/var/lib/cortexfs/storage/current/agent/coder')));
  t.match(await machine.ctx(['status'], { as: bob }), { code: 0 });
});

t.test('unmounted, nothing of it is left', async (t) => {
  t.equal(await machine.must(['umount', '--system']), 'unmounted /ctx\n');
  t.equal((await machine.run(['ls', '-A', '/ctx', '/run/cortexfs'])).out, '/ctx:\n\n/run/cortexfs:\nlog\n');
  t.equal(
    (await machine.run(['grep', '-c', 'cortexfs', '/proc/self/mounts'])).out,
    '1\n',
    'the checkout’s own bind',
  );
});

t.test('what never answers at the place is named, and goes by what the hint says', async (t) => {
  const silent = `exec 3<>/dev/fuse; mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 silent /ctx &&
    touch /tmp/mounted; exec sleep 1000`;
  void machine.run(['/bin/sh', '-c', silent]);
  await until('it is mounted', () => existsSync(machine.at('/tmp/mounted')));
  const { code, err } = await machine.ctx(['mount', '--system']);
  t.equal(code, 69);
  t.match(err, 'ctx: ETIMEDOUT: /ctx: the file system at /ctx (fuse) does not answer within 5 s\n');
  const hint = /hint: take it away \((.*)\)/.exec(err)?.[1] ?? '';
  t.match(await machine.run(hint.split(' ')), { code: 0 });
  t.match(await machine.must(['mount', '--system']), /^mounted /);
  await machine.must(['umount', '--system']);
});
