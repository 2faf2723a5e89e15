import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openStore } from '../../fixture/client.ts';

const asRoot = { skip: process.geteuid!() === 0 ? false : 'needs root, to act for several users' };
const PRE = 'agent/coder.d/hooks/pre.d';

t.test(
  'hooks are their agent’s owner’s, whoever made them; a new owner takes them over',
  asRoot,
  async (t) => {
    const { store, client } = openStore(t, { allowOther: true });
    const [alice, bob] = [client.as(1001), client.as(1002)];
    store.write('agent/coder.d/owner', '1001\n');
    alice.mkdir('agent/coder.d/hooks');
    alice.mkdir('agent/coder.d/hooks/pre.d');
    alice.create(`${PRE}/10-check`, '#!/bin/sh\n', 0o755);
    client.create(`${PRE}/20-root`, '#!/bin/sh\n', 0o755);
    for (const path of ['agent/coder.d/hooks', PRE, `${PRE}/10-check`, `${PRE}/20-root`])
      t.equal(client.stat(path).uid, 1001, path);
    t.equal(statSync(join(store.source, PRE, '10-check')).uid, 0, 'in the store they stay root’s');

    t.throws(() => bob.create(`${PRE}/30-mine`), { code: 'EACCES' });
    t.throws(() => bob.write(`${PRE}/10-check`, 'x'), { code: 'EACCES' });
    t.throws(() => bob.unlink(`${PRE}/10-check`), { code: 'EACCES' });
    t.throws(() => bob.chmod(`${PRE}/10-check`, { mode: 0o777 }), { code: 'EACCES' });
    t.throws(() => bob.rename(`${PRE}/10-check`, `${PRE}/x`), { code: 'EACCES' });
    t.equal(bob.read(`${PRE}/10-check`), '#!/bin/sh\n', 'to be read by all');

    // What the earlier owner left writable for others does not let anybody in.
    chmodSync(join(store.source, PRE, '10-check'), 0o777);
    client.write('agent/coder.d/owner', '1002\n');
    t.throws(() => alice.write(`${PRE}/10-check`, 'mine again'), { code: 'EACCES' });
    t.throws(() => alice.create(`${PRE}/40-back`), { code: 'EACCES' });
    bob.write(`${PRE}/10-check`, '#!/bin/true\n');
    t.equal(client.stat(`${PRE}/10-check`).uid, 1002);
  },
);
