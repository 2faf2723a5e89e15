import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { onEachTransport } from '../fixture/each-transport.ts';
import { makeSite, mounted, shell, stop } from '../fixture/mounted.ts';
import { createUser } from '../transport/kernel/support/user.ts';

const asRoot = { skip: process.geteuid!() === 0 ? false : 'needs root, to make users' };

onEachTransport(
  'an unprivileged user mounts, uses and unmounts their own store',
  asRoot,
  async (t, transport) => {
    const user = createUser(t);
    const site = makeSite(t, { transport, user });
    const running = await mounted(t, site);
    const { root } = site;
    t.equal((await shell(`ls ${root}`, user)).stdout, 'agent\nbin\nhome\nmodel\nshared\nstatus\ntool\n');
    t.equal((await shell(`${root}/tool/fs.read hi`, user)).stdout, `<${root}/tool/fs.read>\n<hi>\n`);
    t.equal((await shell(`echo auto > ${root}/agent/coder.d/window; echo $?`, user)).stdout, '0\n');
    t.equal(
      (await shell(`echo hi > ${root}/home/${user.uid}/f && cat ${root}/home/${user.uid}/f`, user)).stdout,
      'hi\n',
    );
    t.match(await shell(`echo 0 > ${root}/agent/coder.d/uid`, user), {
      status: /[12]/,
      stderr: /not permitted/,
    });
    t.equal((await shell(`ls ${root}/.view/coder/tool`, user)).stdout, 'fs.read\nfs.read.d\n');
    t.match(await shell(`cat ${root}/status`), { status: 1, stderr: /denied/ }, 'not even root gets in');
    t.equal(await stop(running), 0);
  },
);

t.test('root serves several users, each by their own uid', asRoot, async (t) => {
  const [alice, bob] = [createUser(t), createUser(t)];
  const site = makeSite(t);
  const { root, store } = site;
  for (const user of [alice, bob]) {
    store.write(`agent/${user.name}`, 'x', 0o755);
    for (const [control, value] of [
      ['owner', `${user.uid}\n`],
      ['uid', `${user.uid}\n`],
      ['gid', `${user.gid}\n`],
      ['groups', ''],
      ['label', 'user_u:agent_r:coder_t:s0\n'],
      ['mount', ''],
      ['policy', 'allow coder_t tool:fs.read execute\n'],
    ] as const)
      store.write(`agent/${user.name}.d/${control}`, value);
  }
  chmodSync(join(store.source, 'shared/notes'), 0o1777);
  const running = await mounted(t, site, '--allow-other');

  const can = async (user: typeof alice, command: string) => (await shell(command, user)).status === 0;
  const D = (user: typeof alice) => `${root}/agent/${user.name}.d`;
  t.ok(await can(alice, `mkdir ${root}/home/${alice.uid}`));
  t.ok(
    await can(
      bob,
      `mkdir -m 777 ${root}/home/${bob.uid} && echo secret > ${root}/home/${bob.uid}/f && chmod 666 ${root}/home/${bob.uid}/f`,
    ),
  );
  const cases: [string, typeof alice, string, boolean][] = [
    ['make a home for somebody else', alice, `mkdir ${root}/home/4242`, false],
    ['write at home', alice, `echo x > ${root}/home/${alice.uid}/f`, true],
    ["list another's home", alice, `ls ${root}/home/${bob.uid}`, false],
    ["read a readable file in another's home", alice, `cat ${root}/home/${bob.uid}/f`, false],
    ['open the own home to others', bob, `chmod 755 ${root}/home/${bob.uid}`, true],
    ['and still nobody else reads it', alice, `cat ${root}/home/${bob.uid}/f`, false],
    ['edit the own agent', alice, `echo 'allow coder_t tool:fs.list execute' > ${D(alice)}/policy`, true],
    ['replace by rename', alice, `echo auto > ${D(alice)}/.w && mv ${D(alice)}/.w ${D(alice)}/window`, true],
    ["read another's agent", alice, `cat ${D(bob)}/policy`, true],
    ["edit another's agent", alice, `echo > ${D(bob)}/policy`, false],
    ["replace another's control", alice, `echo auto > ${D(bob)}/.w`, false],
    ["remove another's control", alice, `rm -f ${D(bob)}/policy`, false],
    ['change the own Linux identity', alice, `echo 0 > ${D(alice)}/uid`, false],
    [
      'link the own socket',
      alice,
      `ln -s /run/user/${alice.uid}/cortexfs/agent/a.sock ${root}/agent/${alice.name}.sock`,
      true,
    ],
    [
      "link another's socket",
      alice,
      `ln -s /run/user/${alice.uid}/cortexfs/agent/a.sock ${root}/agent/${bob.name}.sock`,
      false,
    ],
    ['link a socket elsewhere', bob, `ln -s /tmp/x.sock ${root}/agent/${bob.name}.sock`, false],
    [
      "remove another's socket",
      bob,
      `rm -f ${root}/agent/${alice.name}.sock && test ! -L ${root}/agent/${alice.name}.sock`,
      false,
    ],
    ['remove the own socket', alice, `rm ${root}/agent/${alice.name}.sock`, true],
    ['write a limit', alice, `echo 1 > ${root}/model/debug/script.d/limit`, false],
    ['enter the own view', alice, `ls ${root}/.view/${alice.name}/tool`, true],
    ["enter another's view", alice, `ls ${root}/.view/${bob.name}`, false],
    ['create in a shared space', alice, `echo a > ${root}/shared/notes/alice`, true],
    ["remove another's file from a sticky space", bob, `rm -f ${root}/shared/notes/alice`, false],
    ['write in a space without the mode for it', bob, `echo x > ${root}/shared/secret/x`, false],
    ['add an object', alice, `touch ${root}/tool/new`, false],
  ];
  for (const [what, user, command, expected] of cases) t.equal(await can(user, command), expected, what);
  t.equal((await shell(`ls ${root}/.view/${bob.name}/tool`)).status, 0, 'root enters every view');
  t.equal((await shell(`cat ${root}/home/${bob.uid}/f`)).stdout, 'secret\n');
  t.equal(
    (await shell(`echo 1 > ${root}/model/debug/script.d/limit`)).status === 0,
    false,
    'a limit is nobody’s to write',
  );
  t.equal(
    statSync(join(store.source, `home/${alice.uid}/f`)).uid,
    alice.uid,
    'files belong to who made them',
  );
  t.equal(await stop(running), 0);
  t.equal(running.said(), '');
});

t.test('supplementary groups count', asRoot, async (t) => {
  const [user, stranger] = [createUser(t), createUser(t)];
  const site = makeSite(t);
  mkdirSync(join(site.store.source, 'shared/team'));
  await shell(
    `chgrp ${stranger.gid} ${site.store.source}/shared/team && chmod 2770 ${site.store.source}/shared/team && gpasswd -a ${user.name} ${stranger.name}`,
  );
  await mounted(t, site, '--allow-other');
  const made = await shell(
    `mkdir ${site.root}/shared/team/d && stat -c '%u %g %a' ${site.root}/shared/team/d`,
    user,
  );
  t.equal(made.stdout, `${user.uid} ${stranger.gid} 2755\n`);
  await shell(`gpasswd -d ${user.name} ${stranger.name}`);
  t.not((await shell(`ls ${site.root}/shared/team`, user)).status, 0);
});
