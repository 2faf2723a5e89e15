import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { renameExchange, renameNoReplace } from '@cortexfs/linux/rename';

import { onEachTransport } from '../fixture/each-transport.ts';
import { makeSite, mounted, stop } from '../fixture/mounted.ts';

const OPERATIONS = 3000;
const NAMES = ['a', 'b', 'c', 'd'];

/** renameat2(2) with flags: fuse-native does not carry them. */
const NEEDS_FLAGS = ['noReplace', 'exchange'];

/** Each operation on paths below one of two roots; what it returns or throws is compared. */
const operations: Record<string, (root: string, pick: Pick) => unknown> = {
  create: (root, { path, text }) => writeFileSync(join(root, path()), text(), { flag: 'wx' }),
  write: (root, { path, text }) => writeFileSync(join(root, path()), text()),
  append: (root, { path, text }) => appendFileSync(join(root, path()), text()),
  read: (root, { path }) => readFileSync(join(root, path()), 'utf8'),
  truncate: (root, { path, number }) => truncateSync(join(root, path()), number(9000)),
  mkdir: (root, { path, number }) => mkdirSync(join(root, path()), { mode: 0o700 | number(0o100) }),
  rmdir: (root, { path }) => rmdirSync(join(root, path())),
  unlink: (root, { path }) => unlinkSync(join(root, path())),
  rename: (root, { path }) => renameSync(join(root, path()), join(root, path())),
  noReplace: (root, { path }) => renameNoReplace(join(root, path()), join(root, path())),
  exchange: (root, { path }) => renameExchange(join(root, path()), join(root, path())),
  link: (root, { path }) => linkSync(join(root, path()), join(root, path())),
  symlink: (root, { path, name }) => symlinkSync(name(), join(root, path())),
  readlink: (root, { path }) => readlinkSync(join(root, path())),
  chmod: (root, { path, number }) => chmodSync(join(root, path()), 0o600 | number(0o200)),
  utimes: (root, { path, number }) => utimesSync(join(root, path()), number(1e9), number(1e9)),
  list: (root, { path }) => readdirSync(join(root, path())).sort(),
  stat: (root, { path }) => facts(join(root, path())),
};

onEachTransport(
  'random operations in a home do what they do in a plain directory',
  {},
  async (t, transport) => {
    const site = makeSite(t, { transport });
    const running = await mounted(t, site);
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
    t.comment(`SEED=${seed}`);
    const plain = mkdtempSync('/tmp/cfs-model-');
    t.teardown(() => rmSync(plain, { recursive: true, force: true }));
    const served = join(site.root, `home/${process.geteuid!()}/model-test`);
    mkdirSync(served);
    const random = generator(seed);
    const kinds = Object.keys(operations).filter(
      (kind) => transport === 'kernel' || !NEEDS_FLAGS.includes(kind),
    );
    for (let step = 0; step < OPERATIONS; step++) {
      const kind = kinds[Math.floor(random() * kinds.length)]!;
      const choices = Math.floor(random() * 2 ** 31);
      const [expected, found] = [plain, served].map((root) =>
        outcome(() => operations[kind]!(root, picker(choices))),
      );
      if (JSON.stringify(expected) === JSON.stringify(found)) continue;
      t.strictSame(found, expected, `step ${step}: ${kind} (SEED=${seed})`);
      return;
    }
    t.strictSame(tree(served), tree(plain), 'and the trees are the same in the end');
    t.strictSame(
      tree(join(site.store.source, served.slice(site.root.length))),
      tree(plain),
      'in the store too',
    );
    t.equal(running.said(), '');
  },
);

onEachTransport('a file that lost its name is whole for those who have it open', {}, async (t, transport) => {
  const site = makeSite(t, { transport });
  const running = await mounted(t, site);
  const home = join(site.root, `home/${process.geteuid!()}`);
  const [removed, replaced] = [join(home, 'removed'), join(home, 'replaced')];
  const open = [removed, replaced].map((path) => {
    writeFileSync(path, 'still here');
    return openSync(path, 'r+');
  });
  unlinkSync(removed);
  writeFileSync(join(home, 'new'), 'new');
  renameSync(join(home, 'new'), replaced);
  t.throws(() => readFileSync(removed), { code: 'ENOENT' });
  writeFileSync(removed, 'another');
  for (const fd of open) {
    writeSync(fd, 'STILL');
    t.equal(fstatSync(fd).size, 10);
    t.equal(readFileSync(fd, 'utf8'), ' here');
    fsyncSync(fd);
    closeSync(fd);
  }
  t.equal(readFileSync(removed, 'utf8'), 'another');
  t.equal(readFileSync(replaced, 'utf8'), 'new');
  t.strictSame(readdirSync(home).sort(), ['agent', 'model', 'removed', 'replaced', 'tool']);
  t.equal(running.said(), '');
});

onEachTransport('a control is replaced although somebody reads it', {}, async (t, transport) => {
  const site = makeSite(t, { transport });
  const running = await mounted(t, site);
  const controls = join(site.root, 'agent/coder.d');
  const policy = join(controls, 'policy');
  const before = readFileSync(policy, 'utf8');
  const fd = openSync(policy, 'r');
  writeFileSync(join(controls, '.new'), 'allow coder_t tool:fs.write execute\n');
  renameSync(join(controls, '.new'), policy);
  t.equal(readFileSync(policy, 'utf8'), 'allow coder_t tool:fs.write execute\n');
  t.equal(readFileSync(fd, 'utf8'), before, 'a reader has what was there at its open');
  closeSync(fd);

  const approval = join(controls, 'approval');
  writeFileSync(approval, 'ask\n');
  const reader = openSync(approval, 'r');
  unlinkSync(approval);
  t.equal(readFileSync(reader, 'utf8'), 'ask\n');
  closeSync(reader);
  for (let i = 0; i < 100 && existsSync(approval); i++) await sleep(20);
  t.notOk(existsSync(approval), 'and removed, at the latest when it is closed');
  t.equal(await stop(running), 0);
  t.equal(running.said(), '');
});

interface Pick {
  path(): string;
  name(): string;
  text(): string;
  number(limit: number): number;
}

function picker(seed: number): Pick {
  const random = generator(seed);
  const number = (limit: number) => Math.floor(random() * limit);
  const name = () => NAMES[number(NAMES.length)]!;
  return {
    number,
    name,
    path: () => Array.from({ length: 1 + number(3) }, name).join('/'),
    text: () => 'x'.repeat(number(5000)),
  };
}

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function outcome(operation: () => unknown): unknown {
  try {
    return { value: operation() ?? null };
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code };
  }
}

/** Without times of access and change, inode numbers, and the sizes that file systems give to directories. */
function facts(path: string): unknown {
  const { mode, nlink, size, uid, gid } = lstatSync(path);
  const isDirectory = (mode & 0o170000) === 0o040000;
  return isDirectory ? { mode, uid, gid } : { mode, nlink, size, uid, gid };
}

function tree(root: string): unknown {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return names.map((name) => [name, facts(join(root, name)), contentOf(join(root, name))]);
}

function contentOf(path: string): string | undefined {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return readlinkSync(path);
  return stat.isFile() ? readFileSync(path, 'utf8') : undefined;
}
