import { existsSync, mkdirSync } from 'node:fs';
import t from 'tap';
import { isOwn, makeHome, requireOwn } from '../../src/launch/own.ts';
import { CODER, makeSite } from '../site.ts';

const self = process.geteuid!();
const agent = (owner: number) => ({ name: CODER, owner });

t.test(
  'an agent is its owner’s; in a deployment of its own root acts for others, on the machine’s mount not',
  async (t) => {
    const site = makeSite(t);
    const system = { ...site, system: '/run/cortexfs' };
    requireOwn(site, agent(self));
    requireOwn(system, agent(self));
    const other = { code: 'EACCES', path: 'agent/coder', layer: 'credentials' };
    const message = `it belongs to uid ${self + 1}, not to uid ${self}`;
    t.throws(() => requireOwn(system, agent(self + 1)), { ...other, message });
    if (self === 0) {
      requireOwn(site, agent(1));
      t.throws(() => requireOwn(system, agent(1)), { ...other, hint: "sudo -u '#1' ctx agent start coder" });
    } else t.throws(() => requireOwn(site, agent(self + 1)), { ...other, message });
  },
);

t.test('whose an agent is follows its definition', async (t) => {
  t.ok(isOwn({ ...makeSite(t), system: '/run/cortexfs' }, CODER));
  const theirs = makeSite(t, { owner: `${self + 1}\n` });
  t.notOk(isOwn({ ...theirs, system: '/run/cortexfs' }, CODER));
});

t.test('a home is made through the machine’s mount, once', async (t) => {
  const site = makeSite(t);
  const system = { ...site, root: `${site.base}/mnt`, system: '/run/cortexfs' };
  mkdirSync(`${system.root}/home`, { recursive: true });
  makeHome(site, 7);
  t.notOk(existsSync(`${site.root}/home/7`), 'in a deployment of one’s own the store has it');
  makeHome(system, 7);
  makeHome(system, 7);
  t.ok(existsSync(`${system.root}/home/7`));
  t.throws(() => makeHome({ ...system, root: `${site.base}/absent` }, 7), { code: 'ENOENT' });
});
