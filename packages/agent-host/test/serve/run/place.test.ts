import { parseRunId, parseSessionName } from '@cortexfs/abi/names';
import t from 'tap';
import { effectiveWindow } from '../../../src/serve/prompt/window.ts';
import { runEnvironment } from '../../../src/serve/run/place.ts';

const place = { run: parseRunId('R1'), session: parseSessionName('default'), cwd: '/workspace' };

t.test('a process of a run is told its window in tokens and in characters, when it is known', (t) => {
  const rows: readonly [
    setting: 'auto' | number,
    limit: number | undefined,
    tokens?: string,
    chars?: string,
  ][] = [
    ['auto', undefined],
    ['auto', 8192, '8192', '32768'],
    [1000, 8192, '1000', '4000'],
    [1, 1, '1', '4'],
    ['auto', 4_294_967_295, '4294967295', '17179869180'],
  ];
  for (const [setting, limit, tokens, chars] of rows) {
    const env = runEnvironment(place, 3, effectiveWindow(setting, limit, 'm'));
    t.equal(env['CTX_CONTEXT_WINDOW_TOKENS'], tokens);
    t.equal(env['CTX_CONTEXT_WINDOW_CHARS'], chars);
    t.match(env, { CTX_RUN_ID: 'R1', CTX_AGENT_STEP: '3', CTX_SESSION: 'default' });
  }
  t.notOk(Object.keys(runEnvironment(place, 0, undefined)).some((name) => name.includes('WINDOW')));
  t.end();
});

t.test('the answer gets its reserve: a quarter, at least one token, at most 4096', (t) => {
  const rows: readonly [tokens: number, reserve: number][] = [
    [1, 1],
    [3, 1],
    [4, 1],
    [8, 2],
    [16_383, 4095],
    [16_384, 4096],
    [1_000_000, 4096],
  ];
  for (const [tokens, reserve] of rows)
    t.equal(effectiveWindow('auto', tokens, 'm').inputChars, (tokens - reserve) * 4, String(tokens));
  t.end();
});
