import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Store } from '../../../src/core/store/store.ts';
import { recipientFor } from '../../../src/core/tree/recipient.ts';
import type { World } from '../../../src/core/world.ts';

const asRoot = { skip: process.geteuid!() === 0 ? false : 'only root gives files away' };
const caller = { uid: 4242, gid: 4242, pid: 0, groups: () => [] };

t.test(
  'what stands under the name by now is only given away when the mount has just made it',
  asRoot,
  async (t) => {
    const base = mkdtempSync('/tmp/cfs-');
    const store = new Store(base);
    t.teardown(() => {
      store.close();
      rmSync(base, { recursive: true });
    });
    const recipient = recipientFor(
      { self: { uid: 0, gid: 0 }, store } as unknown as World,
      caller,
      store.root,
    );
    const victim = join(base, 'victim');
    writeFileSync(victim, 'secret', { mode: 0o600 });
    const before = lstatSync(victim);

    const plants: Record<string, (path: string) => void> = {
      'a link to a file of root': (path) => symlinkSync(victim, path),
      'another name of a file of root': (path) => linkSync(victim, path),
      'a directory of somebody': (path) => {
        mkdirSync(path);
        chownSync(path, 4242, 4242);
      },
    };
    for (const [what, plant] of Object.entries(plants)) {
      const path = join(base, 'planted');
      plant(path);
      if (what !== 'a link to a file of root')
        t.throws(() => recipient.give(path, 0o777), { code: 'ESTALE' }, what);
      else recipient.give(path, 0o777);
      rmSync(path, { recursive: true });
      t.match(lstatSync(victim), { uid: 0, mode: before.mode }, `${what}: the victim is as it was`);
    }

    const made = join(base, 'made');
    mkdirSync(made, { mode: recipient.initialMode(0o755) });
    recipient.give(made, 0o755);
    t.match(lstatSync(made), { uid: 4242, gid: 4242 });
    t.equal(lstatSync(made).mode & 0o7777, 0o755);
    chmodSync(made, 0o700);
  },
);
