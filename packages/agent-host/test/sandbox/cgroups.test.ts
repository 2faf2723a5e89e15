import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { removeStale } from '../../src/sandbox/cgroups.ts';

t.test(
  'what a launcher that is gone left is removed, but not what one in another pid namespace made',
  (t) => {
    const parent = mkdtempSync('/tmp/cxg-');
    t.teardown(() => rmSync(parent, { recursive: true, force: true }));
    const namespace = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
    const groups = {
      [`cortexfs-coder-host-${namespace}-${process.pid}-1`]: false,
      [`cortexfs-a-b-terminal-${namespace}-4194305-7`]: false,
      'cortexfs-coder-host-1-4194305-7': true,
      'cortexfs-coder-host-4194305-7': true,
      'user.slice': true,
    };
    for (const name of Object.keys(groups)) mkdirSync(join(parent, name));
    removeStale(parent);
    for (const [name, stays] of Object.entries(groups)) t.equal(existsSync(join(parent, name)), stays, name);
    t.end();
  },
);
