import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { atScale } from '../../../../setup/test-scale.ts';
import { onEachTransport } from '../fixture/each-transport.ts';
import { Worker } from '../fixture/load/worker.ts';
import { makeSite, mounted, type Site, stop } from '../fixture/mounted.ts';

const SECONDS = atScale(60, 3);
/** Somebody without a name, where the tests may be somebody else: whatever the daemon may read, this one may not. */
const STRANGER = 64_101;
/** Of different lengths. */
const TWO_POLICIES = ['fs.read', 'fs.list'].map((tool, index) =>
  `allow coder_t tool:${tool} execute\n`.repeat(40 - 39 * index),
);

onEachTransport(
  'names swapped, moved and edited while programs work through the mount: nothing outside is reached, nothing is torn or lost',
  {},
  async (t, transport) => {
    const site = makeSite(t, { transport });
    const others = transport === 'kernel' && process.geteuid!() === 0;
    const self = others ? STRANGER : process.geteuid!();
    const home = furnish(site, self);
    const { outside, canary } = makeOutside(site);
    const before = witness(outside);
    const running = await mounted(t, site, ...(others ? ['--allow-other'] : []));
    const pid = running.process.pid!;

    const workers = startAll(t, site, { self, home, outside, canary, others });
    await Promise.all(workers.map((worker) => worker.reaches(16)));
    const descriptors = descriptorsOf(pid).length;
    await sleep((SECONDS * 1000) / 3);
    const memory = memoryOf(pid);
    await sleep((SECONDS * 2000) / 3);
    for (const worker of workers) t.equal(await worker.stop(), '', `${worker.role}: nothing wrong`);

    t.strictSame(witness(outside), before, 'nothing outside has changed');
    t.equal(readFileSync(join(site.root, 'status'), 'utf8'), 'ready\n');
    const kept = descriptorsOf(pid);
    t.ok(kept.length <= descriptors + DIRECTORIES, `${descriptors} descriptors, later ${kept.length}`);
    t.strictSame(kept.filter(isFile), [], 'and no file is held open');
    const growth = memoryOf(pid) - memory;
    t.ok(growth < memory / 2 + 20_000, `memory: ${memory} KiB, later ${growth} KiB more`);
    t.equal(await stop(running), 0);
  },
);

/** Directories of this store, each of which the daemon may hold once. */
const DIRECTORIES = 40;

/** What is attacked: a directory and a file at home, the agent's own home, tools, a shared space's, an object's controls. */
function furnish({ store }: Site, self: number): string {
  const home = `home/${self}`;
  for (const path of [
    `${home}/d/f`,
    `${home}/s/f`,
    `${home}/agent/coder/f`,
    `${home}/tool/f`,
    'shared/notes/d/f',
  ])
    store.write(path, 'inside\n', 0o666);
  if (self === STRANGER) {
    for (const path of [
      home,
      `${home}/d`,
      `${home}/s`,
      `${home}/d/f`,
      `${home}/agent`,
      `${home}/agent/coder`,
    ])
      chownSync(join(store.source, path), self, self);
  }
  store.write('agent/coder.d/policy', TWO_POLICIES[0]!);
  return home;
}

/** For each thing that is attacked its double, which only the daemon and the test may read. */
function makeOutside({ store }: Site): { outside: string; canary: string } {
  const outside = join(store.base, 'outside');
  const canary = `canary-${randomBytes(8).toString('hex')}`;
  for (const path of ['d', 'coder', 'tool', 'reviewer.d']) {
    mkdirSync(join(outside, path), { recursive: true, mode: 0o700 });
    for (const name of ['f', 'g', 'policy', canary])
      writeFileSync(join(outside, path, name), `${canary}\n`, { mode: 0o600 });
  }
  for (const name of ['f', 'policy']) writeFileSync(join(outside, name), `${canary}\n`, { mode: 0o600 });
  return { outside, canary };
}

interface Race {
  readonly self: number;
  readonly home: string;
  readonly outside: string;
  readonly canary: string;
  /** The programs at the mount are another user's. */
  readonly others: boolean;
}

function startAll(t: Test, { store, root }: Site, race: Race): Worker[] {
  const { self, home, outside, canary, others } = race;
  const program = join(store.base, 'attacker.mjs');
  cpSync(new URL('../fixture/load/attacker.mjs', import.meta.url), program);
  const inStore = (path: string) => join(store.source, path);
  const atMount = (path: string) => join(root, path);
  const user = others
    ? {
        command: (line: string[]) => [
          'setpriv',
          `--reuid=${self}`,
          `--regid=${self}`,
          '--clear-groups',
          ...line,
        ],
      }
    : undefined;
  const worker = (role: string, args: string[], by?: typeof user) =>
    new Worker(t, role, args, { user: by, program });
  const swapped = [
    ...[`${home}/d`, `${home}/s/f`, `${home}/agent/coder`, `${home}/tool`],
    ...['shared/notes/d', 'agent/reviewer.d', 'agent/reviewer.d/policy'],
  ];
  const looked = [
    ...[...swapped, `${home}/d/f`, `${home}/agent/coder/f`, `${home}/tool/f`, 'shared/notes/d/f'],
    ...[`.view/coder/home/${self}/agent/coder/f`, '.view/coder/shared/notes/d/f'],
  ];
  // Before anybody swaps it.
  const policy = readFileSync(inStore('agent/reviewer.d/policy'), 'utf8');
  return [
    worker('swap', [outside, ...swapped.map(inStore)]),
    worker('stir', [outside, atMount(home)], user),
    worker('hold', [canary, atMount(home)], user),
    // Whoever may read the canary reads it through a link that the mount shows, in their own right.
    ...(others ? [worker('look', [canary, ...looked.map(atMount)], user)] : []),
    worker('whole', [atMount('agent/reviewer.d/policy'), policy]),
    worker('edit', [atMount('agent/coder.d/policy'), ...TWO_POLICIES]),
    worker('whole', [atMount('agent/coder.d/policy'), ...TWO_POLICIES]),
    worker('list', [atMount('.view/coder/tool'), 'fs.read fs.read.d', 'fs.list fs.list.d']),
  ];
}

/** Everything outside, with all that a reader or writer could have changed but the time of access. */
function witness(path: string): unknown {
  const { mode, uid, gid, ino, nlink, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
  const facts = [mode, uid, gid, ino, nlink, size, mtimeNs, ctimeNs].map(String);
  return lstatSync(path).isDirectory()
    ? [facts, readdirSync(path).map((name) => [name, witness(join(path, name))])]
    : [facts, readFileSync(path, 'utf8')];
}

function descriptorsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`);
}

/** A file of the store, not the sockets, pipes and devices that a process lives by. */
function isFile(descriptor: string): boolean {
  return readlinkSync(descriptor).includes('/store/') && statSync(descriptor).isFile();
}

/** Private memory in KiB. */
function memoryOf(pid: number): number {
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
