import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { ModelId } from '@cortexfs/abi/names';
import { parseProvider } from '@cortexfs/abi/provider';
import t, { type Test } from 'tap';
import {
  aliasesOf,
  idOf,
  modelsIn,
  projectModel,
  requireFree,
  setAlias,
  unprojectModel,
} from '../../src/model/projection.ts';

function storeOf(t: Test) {
  const store = mkdtempSync('/tmp/ctx-models-');
  t.teardown(() => rmSync(store, { recursive: true, force: true }));
  mkdirSync(`${store}/model`);
  for (const alias of ['main', 'helper']) symlinkSync('debug/script', `${store}/model/${alias}`);
  return store;
}
const provider = (changes: object = {}) =>
  parseProvider(
    JSON.stringify({
      name: 'lab',
      base_url: 'http://127.0.0.1/v1',
      driver: 'openai-chat',
      models: ['qwen3:8b', 'vendor/big'],
      model_limits: { 'qwen3:8b': 32768 },
      ...changes,
    }),
  );
const control = (store: string, path: string) => readFileSync(`${store}/model/${path}`, 'utf8');

t.test('a model comes into the store with all of its controls', async (t) => {
  const store = storeOf(t);
  t.equal(projectModel(store, provider(), 'qwen3:8b'), 'lab/qwen3-8b');
  t.equal(projectModel(store, provider(), 'vendor/big'), 'vendor/big');
  t.strictSame(modelsIn(store), ['lab/qwen3-8b', 'vendor/big']);
  t.strictSame(
    ['id', 'driver', 'limit', 'session'].map((name) => control(store, `lab/qwen3-8b.d/${name}`)),
    ['qwen3:8b\n', 'openai-chat\n', '32768\n', 'none\n'],
  );
  t.equal(control(store, 'vendor/big.d/limit'), 'unknown\n');
  t.match(control(store, 'vendor/big'), /^#!.*\n# cortexfs\.object=model\n# cortexfs\.name=vendor\/big\n$/);
  t.strictSame(
    readdirSync(`${store}/model/lab/qwen3-8b.d`).filter((name) => name.startsWith('.')),
    [],
  );
});

t.test('a second time the configuration is followed, and what the owner set stays', async (t) => {
  const store = storeOf(t);
  projectModel(store, provider(), 'qwen3:8b');
  writeFileSync(`${store}/model/lab/qwen3-8b.d/default`, 'temperature=0\n');
  projectModel(store, provider({ driver: 'google', model_limits: {} }), 'qwen3:8b');
  t.strictSame(
    ['driver', 'limit', 'default'].map((name) => control(store, `lab/qwen3-8b.d/${name}`)),
    ['google\n', 'unknown\n', 'temperature=0\n'],
  );
});

t.test('a name means one model: no other id, provider or offline model gives way', async (t) => {
  const store = storeOf(t);
  const own = provider({ models: ['qwen3:8b', 'qwen3/8b', 'qwen3+8b'] });
  const check =
    (one: ReturnType<typeof provider>, id: string, others = [own]) =>
    () =>
      requireFree(store, one, id, others);
  t.doesNotThrow(check(own, 'qwen3:8b'));
  t.throws(check(provider({ models: ['qwen3-8b'], model_limits: {} }), 'qwen3-8b'), { code: 'EEXIST' });
  const other = provider({ name: 'openrouter', models: ['lab/qwen3-8b'], model_limits: {} });
  t.throws(check(other, 'lab/qwen3-8b'), { code: 'EEXIST', message: /provider lab/ });
  t.throws(check(provider({ name: 'debug', models: ['echo'], model_limits: {} }), 'echo'), {
    code: 'EEXIST',
  });
  projectModel(store, provider(), 'vendor/big');
  const vendor = provider({ name: 'vendor', models: ['big'], model_limits: {} });
  t.throws(check(vendor, 'big', []), { code: 'EEXIST' }, 'also when only the store knows');
});

t.test('aliases turn, and turn back when their model leaves', async (t) => {
  const store = storeOf(t);
  const model = projectModel(store, provider(), 'vendor/big');
  setAlias(store, 'main', model);
  t.strictSame(aliasesOf(store, model), ['main']);
  t.equal(idOf(store, model), 'vendor/big');
  t.strictSame(unprojectModel(store, model), ['main']);
  t.equal(readlinkSync(`${store}/model/main`), 'debug/script');
  t.notOk(existsSync(`${store}/model/vendor`), 'with the directory of its provider');
  t.equal(idOf(store, model), undefined);
  t.strictSame(readdirSync(`${store}/model`).sort(), ['helper', 'main'], 'and nothing is left over');
  t.throws(() => setAlias(store, '../x', 'a/b' as ModelId), { code: 'EINVAL' });
});
