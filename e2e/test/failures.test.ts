import { existsSync, mkdirSync } from 'node:fs';
import t, { type Test } from 'tap';
import { ctxOnMachine, withDevices, without } from '../machine.ts';
import { checkout, type Ended, mountedPlace, run } from '../place.ts';
import { freshUser } from '../user.ts';

const place = await mountedPlace(t);

/** Nothing on standard output, one line of error and one of advice. */
function refused(t: Test, { code, out, err }: Ended, expected: number, why: RegExp, hint: RegExp): void {
  t.equal(code, expected, err);
  t.equal(out, '');
  const [line, advice, ...rest] = err.split('\n');
  t.match(line, /^(ctx|agent-host): E[A-Z]+: /);
  t.match(line, why);
  t.match(advice, hint);
  t.match(advice, /^hint: /);
  t.strictSame(rest, ['']);
}

t.test('a wrong agent, command, option or argument', async (t) => {
  const cases: [string[], number, RegExp, RegExp][] = [
    [['agent', 'send', 'nobody', 'hi'], 1, /ENOENT: agent\/nobody/, /ctx/],
    [['agent', 'start', 'nobody'], 1, /ENOENT: agent\/nobody/, /ctx/],
    [['agent', 'chat', 'nobody'], 1, /ENOENT: agent\/nobody/, /ctx/],
    [['fly'], 2, /EINVAL: fly: no such command/, /ctx --help/],
    [['agent', 'fly'], 2, /EINVAL: agent fly/, /agent start, agent stop/],
    [['agent', 'send'], 2, /EINVAL: agent send: an argument is missing/, /usage: ctx agent send NAME/],
    [['ls', '--bogus'], 2, /EINVAL: ls: unknown option '--bogus'/, /usage: ctx ls/],
    [['agent', 'start', 'coder', '--workspace', '/nonexistent'], 1, /ENOENT: \/nonexistent/, /--workspace/],
    [['mount', '--source', '/usr'], 1, /ENOENT: .*\/usr is not a store/, /ctx bootstrap/],
    [['agent', 'attach', 'coder'], 1, /ENOTTY/, /ctx agent watch coder/],
  ];
  for (const [args, code, why, hint] of cases) {
    await t.test(args.join(' '), async (t) => refused(t, await place.ctx(args), code, why, hint));
  }
  for (const [args, why] of [
    [['agent', 'send', '../x', 'hi'], /not a valid object name/],
    [['agent', 'start', 'coder', '--session', 'a/b'], /not a valid session name/],
    [['ls', '../..'], /outside the root/],
  ] as const) {
    const { code, err } = await place.ctx(args);
    t.equal(code, 2);
    t.match(err, why);
    t.equal(err.trimEnd().split('\n').length, 1);
  }
  const json = await place.ctx(['cat', 'agent/nope', '--json']);
  t.match(JSON.parse(json.err), { error: { code: 'ENOENT', path: 'agent/nope', exit_code: 1 } });
});

t.test('an agent that is stopped', async (t) => {
  const hint = /ctx agent start coder/;
  refused(t, await place.ctx(['agent', 'send', 'coder', 'hi']), 69, /EHOSTDOWN: agent\/coder\.sock/, hint);
  refused(t, await place.ctx(['agent', 'chat', 'coder'], { input: 'hi\n' }), 69, /EHOSTDOWN/, hint);
  refused(t, await place.ctx(['agent', 'resume', 'coder']), 69, /EHOSTDOWN/, hint);
  refused(t, await place.ctx(['agent', 'watch', 'coder']), 69, /EHOSTDOWN: agent\/coder: no terminal/, hint);
  t.match(await place.must(t, ['agent', 'stop', 'coder']), /not running/);
});

t.test('an agent that runs elsewhere, and a mount that it uses', async (t) => {
  await place.must(t, ['agent', 'start', 'coder']);
  mkdirSync(`${place.folder}/other`);
  const other = await place.ctx(['agent', 'start', 'coder'], { cwd: `${place.folder}/other` });
  refused(t, other, 1, /EBUSY: agent\/coder: already runs on .*workspace/, /ctx agent stop coder/);
  refused(
    t,
    await place.ctx(['umount']),
    1,
    /EBUSY: .*in use by running agents: coder/,
    /ctx agent stop --all/,
  );
  t.equal(await place.must(t, ['cat', 'status']), 'ready\n', 'and nothing was taken away');
  await place.must(t, ['agent', 'stop', 'coder']);
});

t.test('without bubblewrap, or with one that anybody could have put there', async (t) => {
  const start = ['agent', 'start', 'coder'];
  const missing = await ctxOnMachine(place, without('bwrap'), start);
  refused(t, missing, 69, /EHOSTDOWN: bwrap: bubblewrap is not installed/, /apt-get install bubblewrap/);
  const planted = await ctxOnMachine(
    place,
    'cp /bin/true $SCRATCH/bwrap; chmod 777 $SCRATCH/bwrap; mount --bind $SCRATCH/bwrap /usr/bin/bwrap',
    start,
  );
  refused(t, planted, 13, /EACCES: \/usr\/bin\/bwrap/, /bubblewrap/);
  t.match(await place.must(t, ['agent', 'status', 'coder']), 'coder: dead\n');
  t.notOk(existsSync(`${place.runtime}/launch/coder/terminal-default.json`));
});

t.test('where user namespaces are forbidden', async (t) => {
  const command = `echo 0 >/proc/sys/user/max_user_namespaces; exec ${process.execPath} ${checkout}/dist/bin/ctx agent start coder`;
  const ended = await run('/usr/bin/unshare', ['-Ur', '/bin/sh', '-c', command], {
    env: place.env,
    cwd: place.workspace,
  });
  refused(
    t,
    ended,
    13,
    /EPERM: agent\/coder: user namespaces are forbidden here/,
    /sysctl.*max_user_namespaces/,
  );
  t.match(await place.must(t, ['agent', 'status', 'coder']), 'coder: dead\n');
  await place.must(t, ['agent', 'start', 'coder']);
  await place.must(t, ['agent', 'stop', 'coder']);
});

t.test('without a mount', async (t) => {
  await place.must(t, ['umount']);
  for (const args of [
    ['ls'],
    ['agent', 'send', 'coder', 'hi'],
    ['agent', 'start', 'coder'],
    ['set', 'agent/coder.d/window', 'auto'],
  ])
    refused(t, await place.ctx(args), 69, /ENOTCONN: .*CortexFS is not mounted here/, /ctx mount/);
  const status = await place.ctx([]);
  t.strictSame([status.code, status.err], [69, '']);
  t.match(status.out, /try +ctx mount/);
});

t.test('without /dev/fuse, or one that is something else or forbidden', async (t) => {
  const mount = (script: string) => ctxOnMachine(place, script, ['mount']);
  refused(t, await mount(withDevices()), 69, /ENOENT: \/dev\/fuse/, /modprobe fuse/);
  refused(t, await mount('mount --bind /dev/null /dev/fuse'), 69, /ENODEV: \/dev\/fuse/, /modprobe fuse/);
  const user = freshUser(t);
  const own = { HOME: user.home, XDG_RUNTIME_DIR: user.home };
  const as = (script: string, args: string) =>
    ctxOnMachine(
      place,
      `mkdir -p $SCRATCH/checkout; mount --bind ${checkout} $SCRATCH/checkout; ${script}; cd ${user.home}
       exec setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups --no-new-privs env -i HOME=${own.HOME} XDG_RUNTIME_DIR=${own.XDG_RUNTIME_DIR} ${process.execPath} $SCRATCH/checkout/dist/bin/ctx ${args}`,
      [],
    );
  t.equal((await as('true', 'bootstrap --quiet')).code, 0);
  refused(
    t,
    await as('mknod -m 600 $SCRATCH/fuse c 10 229; mount --bind $SCRATCH/fuse /dev/fuse', 'mount'),
    13,
    /EACCES: \/dev\/fuse: permission denied/,
    /chmod 666 \/dev\/fuse/,
  );
});

t.test('without fuse3, which only unprivileged users need', async (t) => {
  t.equal((await ctxOnMachine(place, without('fusermount3'), ['mount'])).code, 0);
  await place.must(t, ['umount']);
});
