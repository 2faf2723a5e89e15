import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import t from 'tap';
import { fromBytes, reopen, toBytes } from '../../filesystem/descriptor.ts';
import { type Located, locate } from '../../filesystem/locate.ts';
import type { Scope } from '../../filesystem/scope.ts';
import { scratch } from '../scratch.ts';

/** Reads through the located object, as a tool would. */
function contentOf(found: Located): string {
  const fd = reopen(found.object!, 0);
  try {
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
    found.release();
  }
}

function human(cwd: string): Scope {
  return { cwd, mounts: undefined };
}

/** An agent whose only mount beside the root is `point`. */
function agent(point: string): Scope {
  return {
    cwd: point,
    mounts: [
      { point: '/', type: 'tmpfs' },
      { point: '/proc', type: 'proc' },
      { point, type: 'ext4' },
    ],
  };
}

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

t.test('relative, absolute, dotted and doubled paths lead to the same object', async (t) => {
  const dir = scratch(t);
  mkdirSync(join(dir, 'a/b'), { recursive: true });
  writeFileSync(join(dir, 'a/b/f'), 'here');
  for (const path of [
    'a/b/f',
    './a//b/./f',
    'a/../a/b/f',
    join(dir, 'a/b/f'),
    `${dir}/../${basename(dir)}/a/b/f`,
  ]) {
    const found = locate(path, human(dir), true);
    t.equal(fromBytes(found.canonical), join(dir, 'a/b/f'), path);
    t.equal(contentOf(found), 'here', path);
  }
});

t.test('the root, its parent and the working directory itself are found', async (t) => {
  const dir = scratch(t);
  for (const [path, expected] of [
    ['/', '/'],
    ['/..', '/'],
    ['.', dir],
    ['..', dirname(dir)],
  ] as const) {
    const found = locate(path, human(dir), true);
    t.equal(found.canonical, expected);
    found.release();
  }
});

t.test('links are followed by name and by target, the last one only when asked', async (t) => {
  const dir = scratch(t);
  mkdirSync(join(dir, 'real'));
  writeFileSync(join(dir, 'real/f'), 'x');
  symlinkSync('real', join(dir, 'folder'));
  symlinkSync(join(dir, 'real/f'), join(dir, 'absolute'));
  t.equal(contentOf(locate('folder/f', human(dir), true)), 'x');
  t.equal(contentOf(locate('absolute', human(dir), true)), 'x');
  const kept = locate('absolute', human(dir), false);
  t.equal(fromBytes(kept.canonical), join(dir, 'absolute'));
  kept.release();
  const slash = locate('folder/', human(dir), false);
  t.equal(fromBytes(slash.canonical), join(dir, 'real'), 'an ending slash asks for the directory');
  slash.release();
});

t.test('a missing last name is found as missing, a missing folder is ENOENT', async (t) => {
  const dir = scratch(t);
  const found = locate('new', human(dir), true);
  t.equal(found.object, undefined);
  t.equal(found.name, 'new');
  found.release();
  t.throws(() => locate('no/new', human(dir), true), { code: 'ENOENT', path: 'no/new' });
  t.throws(() => locate('new/', human(dir), true), { code: 'ENOENT' });
});

t.test('a dangling link leads to its missing target', async (t) => {
  const dir = scratch(t);
  symlinkSync('target', join(dir, 'dangling'));
  const found = locate('dangling', human(dir), true);
  t.equal(found.object, undefined);
  t.equal(fromBytes(found.canonical), join(dir, 'target'));
  found.release();
});

t.test('bad paths have their errno', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'f'), '');
  symlinkSync('loop', join(dir, 'loop'));
  t.throws(() => locate('f/x', human(dir), true), { code: 'ENOTDIR' });
  t.throws(() => locate('f/', human(dir), true), { code: 'ENOTDIR' });
  t.throws(() => locate('loop', human(dir), true), { code: 'ELOOP' });
  t.throws(() => locate('a\0b', human(dir), true), { code: 'EINVAL' });
  t.throws(() => locate('x'.repeat(300), human(dir), true), { code: 'ENAMETOOLONG' });
});

t.test('an agent reaches what is beneath its mount, but no link leads it out', async (t) => {
  const dir = scratch(t);
  const workspace = join(dir, 'workspace');
  mkdirSync(join(workspace, 'in'), { recursive: true });
  writeFileSync(join(dir, 'secret'), 's');
  writeFileSync(join(workspace, 'in/f'), 'ok');
  symlinkSync('in/f', join(workspace, 'inside'));
  symlinkSync(join(workspace, 'in'), join(workspace, 'inside-absolute'));
  symlinkSync('../secret', join(workspace, 'relative-out'));
  symlinkSync(join(dir, 'secret'), join(workspace, 'absolute-out'));
  symlinkSync('..', join(workspace, 'up'));
  symlinkSync('relative-out', join(workspace, 'twice'));
  const scope = agent(workspace);
  t.equal(contentOf(locate('inside', scope, true)), 'ok');
  t.equal(contentOf(locate('inside-absolute/f', scope, true)), 'ok');
  for (const path of ['relative-out', 'absolute-out', 'up/secret', 'twice', 'in/../up/secret']) {
    t.throws(() => locate(path, scope, true), { code: 'EACCES', layer: 'mount' }, path);
    t.equal(contentOf(locate(path, human(workspace), true)), 's', `${path} is open to a human`);
  }
});

t.test(
  'an agent cannot reach kernel file systems, also not through a link beneath the root mount',
  async (t) => {
    const dir = scratch(t);
    symlinkSync('/proc/1', join(dir, 'p'));
    const scope: Scope = {
      cwd: dir,
      mounts: [
        { point: '/', type: 'tmpfs' },
        { point: '/proc', type: 'proc' },
      ],
    };
    t.throws(() => locate('/proc/self/environ', scope, true), { code: 'EACCES', layer: 'mount' });
    t.throws(() => locate('p/environ', scope, true), { code: 'EACCES', layer: 'mount' });
  },
);

t.test('every descriptor is released, whatever the outcome', async (t) => {
  const dir = scratch(t);
  mkdirSync(join(dir, 'a/b/c'), { recursive: true });
  symlinkSync('/', join(dir, 'a/out'));
  symlinkSync('loop', join(dir, 'loop'));
  const before = openDescriptors();
  for (const path of [
    'a/b/c',
    'a/missing',
    'a/missing/x',
    'loop',
    'a/out/etc',
    '/proc/1',
    '.',
    'a/b/../../..',
  ]) {
    for (const scope of [human(dir), agent(join(dir, 'a'))]) {
      try {
        locate(path, { ...scope, cwd: dir }, true).release();
      } catch (err) {
        t.ok(err instanceof CortexError, `${path} fails as a CortexError`);
      }
    }
  }
  t.equal(openDescriptors(), before);
});

t.test('names need not be UTF-8', async (t) => {
  const dir = scratch(t);
  const raw = Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xff, 0xfe])]);
  mkdirSync(raw);
  symlinkSync(raw, Buffer.from(`${dir}/link`));
  const found = locate('link', human(dir), true);
  t.equal(found.canonical, `${toBytes(dir)}/\xff\xfe`);
  found.release();
});

t.test('a directory swapped for a link while paths are resolved never leads an agent out', async (t) => {
  const dir = scratch(t);
  const workspace = join(dir, 'workspace');
  mkdirSync(join(workspace, 'd'), { recursive: true });
  mkdirSync(join(dir, 'outside'));
  writeFileSync(join(workspace, 'd/f'), 'inside');
  writeFileSync(join(dir, 'outside/f'), 'outside');
  symlinkSync(join(dir, 'outside'), join(workspace, 'l'));
  const swapper = spawn(process.execPath, ['-e', swapping, workspace], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(() => swapper.kill('SIGKILL'));
  await once(swapper.stdout!, 'data');
  const seen = new Map<string, number>();
  for (const end = Date.now() + 1500; Date.now() < end; ) {
    let verdict: string;
    try {
      verdict = contentOf(locate('d/f', agent(workspace), true));
    } catch (err) {
      verdict = (err as CortexError).code;
    }
    seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
  }
  t.notOk(seen.has('outside'), 'nothing from outside was read');
  t.ok(seen.get('inside'), 'the file inside was read');
  t.ok(seen.get('EACCES'), 'the link was seen and refused');
  t.same(
    [...seen.keys()].filter((verdict) => !['inside', 'EACCES', 'ENOENT'].includes(verdict)),
    [],
  );
  const done = once(swapper, 'exit');
  swapper.kill('SIGKILL');
  await done;
  renameSync(workspace, `${workspace}-done`);
});

const swapping = `
const { renameSync } = require('node:fs');
process.chdir(process.argv[1]);
process.stdout.write('go');
for (;;) {
  renameSync('d', 'x'); renameSync('l', 'd');
  renameSync('d', 'l'); renameSync('x', 'd');
}`;
