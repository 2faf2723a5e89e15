import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import t from 'tap';
import type { Act } from '../matrix/actor.ts';
import { agents, hooks, sockets } from '../matrix/agents.ts';
import { frame } from '../matrix/frame.ts';
import { homes } from '../matrix/homes.ts';
import { attributes, objects } from '../matrix/objects.ts';
import { spaces } from '../matrix/spaces.ts';
import { ACTORS, type Cell, cellsOf } from '../matrix/table.ts';
import { type Account, OwnMachine, ROOT } from '../own-machine.ts';

const TEAM = 7100;
const machine = await OwnMachine.boot(t);
machine.addGroup('team', TEAM);
const alice = machine.addUser('alice', 7001, [TEAM]);
const bob = machine.addUser('bob', 7002);
const accounts: Readonly<Record<string, Account>> = { root: ROOT, alice, bob };
const words = { A: `${alice.uid}`, B: `${bob.uid}`, TEAM: `${TEAM}` };
const tables = { frame, agents, hooks, sockets, objects, attributes, homes, spaces };

await machine.must(['bootstrap', '--system', '--quiet']);
const store = machine.at('/var/lib/cortexfs/storage/current');
for (const [name, owner] of [
  ['ann', alice],
  ['bea', bob],
  ['tob', bob],
] as const)
  defineAgent(name, owner);
makeSpaces();
await machine.must(['mount', '--system', '--quiet']);
for (const user of [alice, bob]) await makeHome(user);

const cells = Object.entries(tables).flatMap(([name, table]) =>
  cellsOf(table, words, '/ctx').map((cell) => ({ ...cell, table: name })),
);

t.test('there are at least 400 cells', async (t) => {
  t.ok(cells.length >= 400, `${cells.length}`);
  t.strictSame([...new Set(cells.map(({ actor }) => actor))].sort(), [...ACTORS].sort());
});

for (const actor of ACTORS) {
  t.test(`what ${actor} may do, cell by cell`, async (t) => {
    const own = cells.filter((cell) => cell.actor === actor);
    const before = contents();
    const found = await perform(own, accounts[actor]!);
    for (const [at, cell] of own.entries()) t.equal(found[at], cell.expected, describe(cell));
    const changed = differences(before, contents());
    if (actor === 'bob')
      t.strictSame(
        changed.filter((path) => !isBobs(path)),
        [],
        'what was refused has changed nothing',
      );
  });
}

t.test('what is made belongs to who made it; a set-group-id space gives its group', async (t) => {
  const { uid, gid, mode } = statSync(machine.at('/ctx/shared/hers/new-alice'));
  t.strictSame([uid, gid, mode & 0o777], [alice.uid, alice.gid, 0o644]);
  const made = await machine.run(
    ['/bin/sh', '-c', 'mkdir /ctx/shared/team/d && stat -c "%u %g %a" /ctx/shared/team/d'],
    { as: alice },
  );
  t.equal(made.out, `${alice.uid} ${TEAM} 2755\n`);
});

function describe({ actor, op, path, argument }: Cell): string {
  return `${actor}: ${op} ${path.slice('/ctx/'.length) || '/'} ${argument}`.trim();
}

/** All operations of one actor in one process. */
async function perform(acts: readonly Act[], as: Account): Promise<string[]> {
  const loader = `${machine.checkout}/node_modules/tsx/dist/loader.mjs`;
  const input = JSON.stringify(acts.map(({ op, path, argument }) => ({ op, path, argument })));
  const { out, err } = await machine.node(['--import', loader, `${machine.checkout}/e2e/matrix/actor.ts`], {
    as,
    input,
  });
  if (out === '') throw new Error(err);
  return JSON.parse(out) as string[];
}

/** A copy of the reference agent with another owner, as root makes it. */
function defineAgent(name: string, owner: Account): void {
  cpSync(`${store}/agent/coder.d`, `${store}/agent/${name}.d`, { recursive: true });
  const controls = {
    owner: `${owner.uid}\n`,
    uid: `${owner.uid}\n`,
    gid: `${owner.gid}\n`,
    groups: '',
    label: `user_u:agent_r:${name}_t:s0\n`,
    policy: `allow ${name}_t tool:fs.read execute\nallow ${name}_t shared:notes read\n`,
    'meta.json': '{}\n',
    life: name === 'tob' ? 'temp\n' : 'owned\n',
  };
  for (const [control, value] of Object.entries(controls))
    writeFileSync(`${store}/agent/${name}.d/${control}`, value);
  writeFileSync(`${store}/agent/${name}.d/hooks/pre.d/00-given`, '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(`${store}/tool/fs.read.d/policy`, 'allow ann_t tool:fs.read execute\n', { flag: 'a' });
  writeFileSync(
    `${store}/agent/${name}`,
    `#!/usr/bin/cortexfs-object-runner\n# cortexfs.object=agent\n# cortexfs.name=${name}\n`,
    { mode: 0o755 },
  );
}

function makeSpaces(): void {
  for (const [space, mode, uid, gid] of [
    ['open', 0o1777, 0, 0],
    ['team', 0o2770, 0, TEAM],
    ['notes', 0o755, 0, 0],
    ['hers', 0o700, alice.uid, alice.gid],
  ] as const) {
    const path = `${store}/shared/${space}`;
    mkdirSync(path);
    chownSync(path, uid, gid);
    chmodSync(path, mode);
  }
  const file = (path: string, { uid, gid }: { uid: number; gid: number }, mode: number) => {
    writeFileSync(`${store}/shared/${path}`, 'text');
    chownSync(`${store}/shared/${path}`, uid, gid);
    chmodSync(`${store}/shared/${path}`, mode);
  };
  for (const [name, account] of Object.entries(accounts)) file(`open/${name}`, account, 0o644);
  file('team/plan', { uid: 0, gid: TEAM }, 0o660);
  file('notes/today', ROOT, 0o644);
}

/** As a user does it, through the mount. */
async function makeHome(user: Account): Promise<void> {
  const agent = user === alice ? 'ann' : 'bea';
  const script = `cd /ctx/home && mkdir ${user.uid} && cd ${user.uid} && mkdir tool model && echo x >mine &&
    mkdir -p agent/${agent}/session/s/terminal`;
  const alias = user === bob ? '&& ln -s /run/user/7002/cortexfs/agent/bea.sock /ctx/agent/bea.sock' : '';
  const { code, err } = await machine.run(['/bin/sh', '-c', `${script} ${alias}`], { as: user });
  if (code !== 0) throw new Error(err);
}

/** Everything in the store that somebody could have changed, by path. */
function contents(): Map<string, string> {
  const entries = readdirSync(store, { recursive: true, withFileTypes: true });
  return new Map(
    entries.map((entry) => {
      const path = `${entry.parentPath}/${entry.name}`;
      const { mode, uid, gid, mtimeMs } = lstatSync(path);
      const bytes = entry.isFile() ? `${mtimeMs} ${readFileSync(path, 'base64')}` : '';
      return [path.slice(store.length + 1), `${mode} ${uid} ${gid} ${bytes}`];
    }),
  );
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

function isBobs(path: string): boolean {
  return path.startsWith(`home/${bob.uid}/`) || /^agent\/(bea|tob)/.test(path) || path.includes('bob');
}
