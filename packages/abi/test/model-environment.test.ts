import t from 'tap';
import { modelEnvironment } from '../src/model-environment.ts';

t.test('a model gets where to look and how to reach the network, and nothing else', async (t) => {
  const env = {
    HOME: '/h',
    no_proxy: 'x',
    HTTPS_PROXY: '',
    OPENAI_API_KEY: 'secret',
    PATH: '/evil',
    LANG: 'xx',
  };
  t.strictSame(modelEnvironment(env, { CTX_ROOT: '/ctx' }), {
    HOME: '/h',
    no_proxy: 'x',
    HTTPS_PROXY: '',
    PATH: '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    CTX_ROOT: '/ctx',
  });
});
