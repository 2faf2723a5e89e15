import { parseProviderName } from '@cortexfs/abi/names';
import { parseProvider } from '@cortexfs/abi/provider';
import t from 'tap';
import { parseCommandLine } from '../../src/command/parse.ts';
import { modelCommands } from '../../src/command/table/models.ts';
import { extended, reduced } from '../../src/model/configuration.ts';
import { PRESETS } from '../../src/model/presets.ts';
import { wantedOf } from '../../src/model/wanted.ts';

const spec = modelCommands.find(({ words }) => words === 'model add')!;
const known = [
  parseProvider(
    '{"name":"lab","base_url":"http://10.0.0.1/v1","driver":"openai-chat","models":["a"],"model_limits":{"a":100}}',
  ),
];
const wanted = (line: string) => wantedOf(parseCommandLine(spec, line.split(' ').filter(Boolean)), known);

t.test('presets, providers that one has, and addresses', async (t) => {
  for (const name of Object.keys(PRESETS)) t.match(wanted(name).provider, { name, ...pick(PRESETS[name]!) });
  t.match(wanted('lab --model b'), {
    provider: { name: 'lab', base_url: 'http://10.0.0.1/v1' },
    models: ['b'],
  });
  t.match(wanted('--base-url https://api.example.com/v1/').provider, {
    name: 'example',
    base_url: 'https://api.example.com/v1',
    driver: 'openai-chat',
  });
  t.match(wanted('--base-url http://127.0.0.1:80/v1 --name x --driver google').provider, {
    name: 'x',
    driver: 'google',
  });
  t.match(wanted('openai --driver openai-chat --model a --model b --limit 1000'), {
    provider: { driver: 'openai-chat' },
    models: ['a', 'b'],
    limit: 1000,
  });
});

function pick({ base_url, driver }: (typeof PRESETS)[string]) {
  return { base_url, driver };
}

t.test('what is not said clearly is asked for', async (t) => {
  for (const line of [
    '',
    'nobody',
    'constructor',
    'openai --base-url https://x.example/v1',
    'openai --name other',
    '--base-url http://127.0.0.1:8080/v1',
    '--base-url http://[::1]:8080/v1',
    '--base-url http://localhost/v1',
    '--base-url ftp://x.example',
    '--base-url https://key@x.example/v1',
    'openai --driver debug',
    'openai --limit 0',
    'openai --limit many',
    '--base-url http://127.0.0.1/v1 --name ../x',
  ])
    t.throws(() => wanted(line), { code: 'EINVAL' }, line);
});

t.test('models join those that are there, with limits of their own', async (t) => {
  const more = extended(known[0], known[0]!, ['b', 'a'], 200);
  t.match(more, { models: ['a', 'b'], default_model: 'a', model_limits: { a: 200, b: 200 }, enabled: true });
  t.match(extended(known[0], known[0]!, ['b'], undefined).model_limits, { a: 100 });
  const fresh = { ...known[0]!, name: parseProviderName('new') };
  t.match(extended(undefined, fresh, ['x'], undefined), { name: 'new', models: ['x'], default_model: 'x' });
  t.throws(() => extended(undefined, fresh, ['two words'], undefined), { code: 'EINVAL' });
});

t.test('and leave again, the last with the provider', async (t) => {
  const two = extended(known[0], known[0]!, ['b'], 50);
  const one = reduced(two, 'a')!;
  t.strictSame([one.models, one.default_model, one.model_limits], [['b'], 'b', { b: 50 }]);
  t.equal(reduced(one, 'b'), undefined);
});
