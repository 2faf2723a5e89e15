import fc from 'fast-check';
import t from 'tap';
import { CortexError } from '../src/errors.ts';
import { isObjectName, parseModelName, parseProviderName } from '../src/names.ts';
import { formatProvider, NETWORK_DRIVERS, parseProvider, stableModel } from '../src/provider.ts';

const local = {
  name: 'local',
  base_url: 'http://127.0.0.1:8080/v1',
  driver: 'openai-chat',
  models: ['qwen3'],
  default_model: 'qwen3',
  model_limits: { qwen3: 32768 },
  enabled: true,
};
const parse = (changes: object) => parseProvider(JSON.stringify({ ...local, ...changes }));

t.test('a provider, with all it may say and with what it must say', async (t) => {
  t.strictSame(parse({}), local);
  const { default_model: _, model_limits: __, enabled: ___, ...least } = local;
  t.strictSame(parseProvider(JSON.stringify(least)), least);
  t.equal(parse({ base_url: 'https://api.example.com/v1//' }).base_url, 'https://api.example.com/v1');
});

t.test('what is refused', async (t) => {
  for (const changes of [
    { api_key: 'sk-1' },
    { Name: 'x' },
    { name: '../x' },
    { name: 'x.d' },
    { driver: 'debug' },
    { driver: 'telepathy' },
    { base_url: 'ftp://127.0.0.1/v1' },
    { base_url: '127.0.0.1:8080' },
    { base_url: 'http://user:secret@127.0.0.1/v1' },
    { base_url: 'https://x.example/v1?key=secret' },
    { base_url: 'https://x.example/v1#secret' },
    { models: 'qwen3' },
    { models: ['two words'] },
    { models: [''] },
    { models: [] },
    { default_model: 'other' },
    { model_limits: { other: 1 } },
    { model_limits: { qwen3: 0 } },
    { model_limits: { qwen3: 1.5 } },
    { model_limits: { qwen3: 4294967296 } },
    { model_limits: [1] },
    { enabled: 'yes' },
  ])
    t.throws(() => parse(changes), { code: 'EINVAL' }, JSON.stringify(changes));
  for (const text of ['', '[]', 'null', '{"name":"a","name":"b"}'])
    t.throws(() => parseProvider(text), { code: 'EINVAL' }, text);
});

t.test('no error repeats what might be a secret in an address', async (t) => {
  try {
    parse({ base_url: 'http://user:hunter2hunter2@127.0.0.1/v1' });
    t.fail('is refused');
  } catch (error) {
    t.notMatch(String((error as Error).message), /hunter2/);
  }
});

t.test('the stable name of a model is whose it is and what it is called', async (t) => {
  const name = (provider: string, id: string) => stableModel(parseProviderName(provider), id);
  t.equal(name('local', 'qwen3'), 'local/qwen3');
  t.equal(name('ollama', 'qwen3:8b'), 'ollama/qwen3-8b');
  t.equal(name('openrouter', 'openai/gpt-5.6'), 'openai/gpt-5.6', 'who passes it on stays out');
  t.equal(name('lab', 'hf.co/org/model:Q4_K_M'), 'hf.co/org-model-Q4_K_M');
  for (const id of ['', '/x', 'x/', '.hidden', 'model.sock', 'x'.repeat(65)])
    t.throws(() => name('p', id), CortexError, id);
});

t.test('print and parse', async () => {
  const id = fc.stringMatching(/^[\x21-\x7e]{1,40}$/);
  const provider = fc.record({
    name: fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/).map(parseProviderName),
    base_url: fc.webUrl().map((url) => url.replace(/\/+$/, '')),
    driver: fc.constantFrom(...NETWORK_DRIVERS),
    models: fc.uniqueArray(id, { minLength: 1, maxLength: 5 }),
    enabled: fc.boolean(),
  });
  fc.assert(
    fc.property(provider, (value) => {
      const text = formatProvider(value);
      return text.endsWith('}\n') && formatProvider(parseProvider(text)) === text;
    }),
  );
});

t.test('no text makes it throw anything else, and every name that it gives is one', async () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, id) => {
      try {
        parseProvider(text);
      } catch (error) {
        if (!(error instanceof CortexError)) return false;
      }
      try {
        const { provider, model } = parseModelName(stableModel(parseProviderName('p'), id));
        return isObjectName(provider) && isObjectName(model);
      } catch (error) {
        return error instanceof CortexError;
      }
    }),
  );
});
