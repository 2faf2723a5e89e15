import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { requireName } from '../../../src/core/names.ts';
import { objectIn, partOf } from '../../../src/core/objects/object.ts';
import { resolveModel, targetBelowRoot } from '../../../src/core/objects/resolve-model.ts';
import { Runtimes } from '../../../src/core/runtime/runtimes.ts';
import { requireRuntimeTarget } from '../../../src/core/runtime/target.ts';
import { DIRECTORY, FIFO, REGULAR, SYMLINK } from '../../../src/core/store/mode.ts';
import { Places } from '../../../src/core/store/places.ts';
import { Store } from '../../../src/core/store/store.ts';
import { kindAt } from '../../../src/core/tree/kind-at.ts';
import type { World } from '../../../src/core/world.ts';
import { makeStore } from '../../fixture/store.ts';

t.test('a name in a class directory is an executable, a socket, controls or nothing', async (t) => {
  t.strictSame(partOf('fs.read'), { base: 'fs.read', part: 'exec' });
  t.strictSame(partOf('coder.sock'), { base: 'coder', part: 'socket' });
  t.strictSame(partOf('coder.d'), { base: 'coder', part: 'controls' });
  for (const name of [
    '',
    '.d',
    '.sock',
    'a.d.d',
    'a.sock.d',
    'a.d.sock',
    '.hidden',
    '-x',
    'a b',
    'x'.repeat(65),
  ])
    t.equal(partOf(name), undefined, name);
  t.strictSame(objectIn('model', 'home/7/model/debug', 'echo'), {
    class: 'model',
    name: 'debug/echo',
    directory: 'home/7/model/debug',
    base: 'echo',
  });
});

t.test('no text is a name that could lead elsewhere', async () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const [name, part] = [isName(text), partOf(text)];
      return (!name || (!text.includes('/') && text !== '..')) && (part === undefined || name);
    }),
  );
});

t.test('a model link stays among names, whatever it says', async (t) => {
  t.equal(targetBelowRoot('model', 'debug/script'), 'model/debug/script');
  t.equal(targetBelowRoot('home/7/model', '/ctx/model/debug/script'), 'model/debug/script');
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('', '/ctx/', '../', '/'), (text, before) => {
      const target = targetBelowRoot('model', before + text);
      return target === undefined || !target.split('/').includes('..');
    }),
  );
});

t.test('aliases resolve by readlink, the own directory first, never in circles', async (t) => {
  const made = makeStore({ uid: 7, gid: 7 });
  const store = new Store(made.source);
  t.teardown(() => {
    store.close();
    made.remove();
  });
  const world = { store, places: new Places(store) } as unknown as World;
  const link = (target: string, path: string) => symlinkSync(target, join(made.source, path));
  link('main', 'model/other');
  link('loop2', 'model/loop1');
  link('loop1', 'model/loop2');
  link('../../etc/passwd', 'model/out');
  link('/ctx/model/debug/echo', 'home/7/model/main');
  const script = { name: 'debug/script', path: 'model/debug/script' };
  t.strictSame(resolveModel(world, 'debug/script'), script);
  t.strictSame(resolveModel(world, 'main'), script);
  t.strictSame(resolveModel(world, 'other'), script, 'through another alias');
  t.strictSame(resolveModel(world, 'main', 7), { name: 'debug/echo', path: 'model/debug/echo' });
  t.strictSame(resolveModel(world, 'main', 8), script);
  for (const nothing of ['loop1', 'out', 'nosuch', 'debug', 'debug/nosuch'])
    t.equal(resolveModel(world, nothing, 7), undefined, nothing);
});

t.test('socket aliases lead below the own runtime directory, spelled plainly', async (t) => {
  const world = { runtimes: new Runtimes('/tmp/run', 5, true) };
  const allowed = (owner: number, target: string) => {
    try {
      requireRuntimeTarget(world, owner, 'agent/x.sock', target);
      return true;
    } catch {
      return false;
    }
  };
  t.ok(allowed(5, '/tmp/run/agent/x.sock'));
  t.ok(allowed(5, '/run/user/5/cortexfs/agent/x.sock'));
  t.ok(allowed(6, '/run/user/6/cortexfs/agent/x.sock'));
  t.notOk(allowed(6, '/tmp/run/agent/x.sock'), "the mount's own runtime directory is not theirs");
  t.notOk(allowed(6, '/run/user/5/cortexfs/agent/x.sock'));
  for (const odd of [
    '/tmp/run',
    '/tmp/run/../x',
    '/tmp/run//x',
    '/tmp/running/x',
    'tmp/run/x',
    '/tmp/run/./x',
    '',
  ])
    t.notOk(allowed(5, odd), odd);
});

t.test('kinds of ordinary paths', async (t) => {
  const session = 'shared/space/agent/a/session/s';
  const kinds: [string, number, string][] = [
    [session, DIRECTORY, 'ctx.session.dir'],
    [`${session}/context`, DIRECTORY, 'ctx.ordinary'],
    [`${session}/events.jsonl`, REGULAR, 'ctx.session.events'],
    [`${session}/x/events.jsonl`, REGULAR, 'ctx.ordinary'],
    ['home/1/agent/a/session/indexes', DIRECTORY, 'ctx.session.dir'],
    ['home/1/agent/a/session/index', DIRECTORY, 'ctx.ordinary'],
    ['home/1/agent/a/session/s/l', SYMLINK, 'ctx.symlink'],
    ['home/1/pipe', FIFO, 'ctx.unknown'],
    ['shared', DIRECTORY, 'ctx.shared.dir'],
  ];
  for (const [path, type, kind] of kinds) t.equal(kindAt(path, type), kind, path);
});

function isName(text: string): boolean {
  try {
    return requireName(text) === text;
  } catch {
    return false;
  }
}
