import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseModelReference } from '@cortexfs/abi/names';
import t from 'tap';
import { resolveModel } from '../../../src/serve/authority/model-use.ts';
import { temporaryDirectory } from '../../temporary.ts';

function root(t: Parameters<typeof temporaryDirectory>[0], links: Record<string, string>): string {
  const base = temporaryDirectory(t);
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    symlinkSync(target, join(base, path));
  }
  return base;
}

t.test("an alias is what its link says; the owner's own come first", (t) => {
  const base = root(t, {
    'model/main': 'debug/script',
    'model/absolute': '/ctx/model/openai/gpt-5.6',
    'model/chain': 'main',
    'home/1000/model/mine': '../../../model/debug/echo',
    'home/1000/model/main': '/ctx/model/debug/echo',
    'home/1000/model/again': 'mine',
  });
  const resolved = (name: string, owner = 1000) => resolveModel(base, owner, parseModelReference(name));
  t.match(resolved('debug/script'), { id: 'debug/script', aliases: [] });
  t.match(resolved('main', 0), { id: 'debug/script', aliases: ['main'] });
  t.match(resolved('main'), { id: 'debug/echo', aliases: ['main'] });
  t.match(resolved('absolute'), { id: 'openai/gpt-5.6' });
  t.match(resolved('chain', 0), { id: 'debug/script', aliases: ['chain', 'main'] });
  t.match(resolved('mine'), { id: 'debug/echo' });
  t.match(resolved('again'), { id: 'debug/echo', aliases: ['again', 'mine'] });
  t.end();
});

t.test('links that lead elsewhere, in circles or nowhere name no model', (t) => {
  const base = root(t, {
    'model/out': '/etc/passwd',
    'model/up': '../../../../etc/passwd',
    'model/tool': '/ctx/tool/fs.read',
    'model/loop': 'loop',
    'model/a': 'b',
    'model/b': 'a',
    'model/foreign': '/ctx/home/1001/model/main',
    'model/deep': 'a/b/c',
  });
  mkdirSync(join(base, 'model/provider'));
  for (const name of ['none', 'out', 'up', 'tool', 'foreign', 'deep', 'provider']) {
    t.throws(
      () => resolveModel(base, 1000, parseModelReference(name)),
      { code: 'ENOENT', layer: 'model' },
      name,
    );
  }
  for (const name of ['loop', 'a'])
    t.throws(() => resolveModel(base, 1000, parseModelReference(name)), { code: 'ELOOP' }, name);
  rmSync(join(base, 'model'), { recursive: true });
  t.throws(() => resolveModel(base, 1000, parseModelReference('a')), { code: 'ENOENT' });
  t.end();
});
