import { APICallError, type LanguageModelV3, type LanguageModelV3StreamPart } from '@ai-sdk/provider';
import t from 'tap';
import { attempts } from '../../src/network/attempts.ts';

const refusal = (statusCode: number, responseHeaders: Record<string, string> = {}) =>
  new APICallError({
    message: `status ${statusCode}`,
    url: 'http://x',
    requestBodyValues: {},
    statusCode,
    responseHeaders,
  });
const word: LanguageModelV3StreamPart = { type: 'text-delta', id: '0', delta: 'hi' };

/** A model that does one thing after the other; a list is what it streams, an error in it where it breaks. */
function scripted(...turns: (Error | (LanguageModelV3StreamPart | Error)[])[]) {
  let asked = 0;
  const model = {
    doStream: async () => {
      const turn = turns[asked++];
      if (turn === undefined) throw new Error('asked once more than expected');
      if (turn instanceof Error) throw turn;
      return { stream: partsOf(turn) };
    },
  };
  return { model: model as unknown as LanguageModelV3, asked: () => asked };
}

async function* partsOf(turn: readonly (LanguageModelV3StreamPart | Error)[]) {
  for (const part of turn) {
    if (part instanceof Error) throw part;
    yield part;
  }
}

async function outcome(
  { model }: ReturnType<typeof scripted>,
  { retryBudgetMs = 10_000, retryDelayMs = 1 } = {},
) {
  const limits = { firstTokenMs: 60_000, stallMs: 60_000, retryBudgetMs, retryDelayMs };
  const types: string[] = [];
  try {
    for await (const { type } of attempts(model, { call: { prompt: [] }, ...limits })) types.push(type);
    return { types, code: 'ok' };
  } catch (error) {
    return { types, code: (error as { code: string }).code };
  }
}

t.test('what fails for a moment is asked again, twice at most', async (t) => {
  const cut = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  for (const failure of [refusal(408), refusal(429), refusal(500), refusal(503), refusal(529), cut]) {
    const mended = scripted(failure, failure, [word]);
    t.strictSame(await outcome(mended), { types: ['text-delta'], code: 'ok' });
    const lasting = scripted(failure, failure, failure);
    t.not((await outcome(lasting)).code, 'ok');
    t.equal(lasting.asked(), 3);
  }
});

t.test('what will not change is not asked again', async (t) => {
  const codes = {
    400: 'EINVAL',
    401: 'EACCES',
    403: 'EACCES',
    404: 'ENOENT',
    413: 'EMSGSIZE',
    422: 'EINVAL',
  };
  for (const [status, code] of Object.entries(codes)) {
    const model = scripted(refusal(Number(status)));
    t.strictSame(await outcome(model), { types: [], code }, status);
    t.equal(model.asked(), 1);
  }
});

t.test('after the first word nothing is repeated, before it everything may be', async (t) => {
  const started: LanguageModelV3StreamPart = { type: 'stream-start', warnings: [] };
  const late = scripted([started, word, refusal(500)]);
  t.strictSame(await outcome(late), { types: ['stream-start', 'text-delta'], code: 'EHOSTDOWN' });
  t.equal(late.asked(), 1);
  const early = scripted(
    [started, { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }],
    [word],
  );
  t.strictSame(await outcome(early), { types: ['stream-start', 'text-delta'], code: 'ok' });
});

t.test('the provider says how long to wait; what is over the budget is not waited for', async (t) => {
  const patient = scripted(refusal(429, { 'retry-after-ms': '20' }), refusal(429, { 'retry-after': '0' }), [
    word,
  ]);
  t.strictSame(await outcome(patient, { retryDelayMs: 3_600_000 }), { types: ['text-delta'], code: 'ok' });
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  for (const after of ['3600', date]) {
    const model = scripted(refusal(429, { 'retry-after': after }));
    t.strictSame(await outcome(model), { types: [], code: 'EAGAIN' }, after);
  }
  const spent = scripted(refusal(429, { 'retry-after-ms': '30' }), refusal(429, { 'retry-after-ms': '30' }));
  t.equal(
    (await outcome(spent, { retryBudgetMs: 50 })).code,
    'EAGAIN',
    'the budget is for all waits together',
  );
});
