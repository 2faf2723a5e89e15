import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Transport } from '../../src/arguments.ts';
import { onEachTransport } from '../fixture/each-transport.ts';
import { makeSite, mounted, shell } from '../fixture/mounted.ts';
import { createUser, type TestUser } from '../transport/kernel/support/user.ts';

const isRoot = process.geteuid!() === 0;

/** A command in a sandbox whose /ctx is the view of coder, as the agent host binds it. */
function inView(root: string, command: string): string {
  const mounts =
    '--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev';
  return `bwrap --unshare-all --die-with-parent ${mounts} --bind ${root}/.view/coder /ctx /bin/sh -c '${command}'`;
}

async function tryView(t: Test, transport: Transport, user?: TestUser): Promise<void> {
  const site = makeSite(t, { transport, user });
  const uid = user?.uid ?? process.geteuid!();
  const secret = join(site.store.base, 'secret');
  await shell(`echo hidden > ${secret}`, user);
  symlinkSync('../../../../../../../secret', join(site.store.source, `home/${uid}/agent/coder/up`));
  symlinkSync(secret, join(site.store.source, `home/${uid}/agent/coder/out`));
  chmodSync(join(site.store.source, 'shared/notes'), 0o777);
  await mounted(t, site);
  const sh = (command: string) => shell(inView(site.root, command), user);

  t.equal((await sh('ls /ctx')).stdout, 'agent\nbin\nhome\nmodel\nshared\nstatus\ntool\n');
  t.equal(
    (await sh('ls /ctx/tool; head -1 /ctx/tool/fs.read')).stdout,
    `fs.read\nfs.read.d\n#!${site.store.base}/runner\n`,
  );
  t.equal((await sh('cat /ctx/shared/notes/today')).stdout, 'shared text\n');
  const escapes: Record<string, string> = {
    'up from the root of the view': 'ls /ctx/../ctx/../ctx/tool/fs.write',
    'to the other views': 'ls /ctx/.view /ctx/../.view',
    'through a link upwards': `cat /ctx/home/${uid}/agent/coder/up`,
    'through a link to the host': `cat /ctx/home/${uid}/agent/coder/out`,
    'to another agent': 'cat /ctx/agent/reviewer.d/policy',
    'by writing the own policy': 'echo > /ctx/agent/coder.d/policy',
    'by replacing it': 'echo > /ctx/agent/coder.d/.x && mv /ctx/agent/coder.d/.x /ctx/agent/coder.d/policy',
    'into a space that is only to be read': 'echo x > /ctx/shared/notes/today',
  };
  for (const [what, command] of Object.entries(escapes)) {
    const { status, stdout } = await sh(command);
    t.not(status, 0, what);
    t.equal(stdout, '', what);
  }
  await shell(
    `echo 'allow coder_t tool:fs.write execute' > ${site.root}/agent/coder.d/policy; sed -i s/coder_t/x_t/ ${site.store.source}/tool/fs.read.d/policy`,
    user,
  );
  t.equal((await sh('ls /ctx/tool')).stdout, 'fs.write\nfs.write.d\n');
}

onEachTransport('a sandbox sees the view as its /ctx and cannot leave it', {}, async (t, transport) => {
  await tryView(t, transport);
});

onEachTransport(
  'the same for an unprivileged user',
  { skip: isRoot ? false : 'needs root, to make a user' },
  async (t, transport) => {
    await tryView(t, transport, createUser(t));
  },
);

onEachTransport(
  'a sandbox that is running notices a policy edit at its next look',
  {},
  async (t, transport) => {
    const site = makeSite(t, { transport });
    await mounted(t, site);
    const script = 'ls /ctx/tool; read line; ls /ctx/tool';
    const edit = `echo "allow coder_t tool:fs.list execute" > ${site.root}/agent/coder.d/policy`;
    const { stdout } = await shell(`(sleep 1; ${edit}; echo go) | ${inView(site.root, script)}`);
    t.equal(stdout, 'fs.read\nfs.read.d\nfs.list\nfs.list.d\n');
  },
);
