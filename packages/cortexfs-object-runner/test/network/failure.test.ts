import { APICallError } from '@ai-sdk/provider';
import { CortexError } from '@cortexfs/abi/errors';
import fc from 'fast-check';
import t from 'tap';
import { failureOf, retryable } from '../../src/network/failure.ts';
import { Redaction } from '../../src/network/redaction.ts';

const caused = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });

t.test('faults of a connection', async (t) => {
  for (const [error, code, again] of [
    [caused('ECONNREFUSED'), 'EHOSTDOWN', true],
    [caused('ECONNRESET'), 'EHOSTDOWN', true],
    [caused('UND_ERR_SOCKET'), 'EHOSTDOWN', true],
    [caused('EAI_AGAIN'), 'EHOSTDOWN', true],
    [caused('ENOTFOUND'), 'EHOSTDOWN', false],
    [caused('CERT_HAS_EXPIRED'), 'EHOSTDOWN', false],
    [caused('DEPTH_ZERO_SELF_SIGNED_CERT'), 'EHOSTDOWN', false],
    [caused('UND_ERR_CONNECT_TIMEOUT'), 'ETIMEDOUT', true],
    [new TypeError('terminated'), 'EHOSTDOWN', true],
    [new TypeError('anything else'), 'EPROTO', false],
  ] as const) {
    const failure = failureOf(error);
    t.strictSame([failure.code, retryable(failure)], [code, again], String(error.cause ?? error));
  }
});

t.test('errors that a provider reports in the middle of its stream', async (t) => {
  for (const [error, code] of [
    [{ type: 'overloaded_error', message: 'Overloaded' }, 'EHOSTDOWN'],
    [{ error: { type: 'server_error', message: 'oops' } }, 'EHOSTDOWN'],
    [{ type: 'rate_limit_error', message: 'slow down' }, 'EAGAIN'],
    [{ type: 'authentication_error', message: 'invalid x-api-key sk-abc' }, 'EACCES'],
    ['something odd', 'EPROTO'],
    [{ message: 'a'.repeat(5000) }, 'EPROTO'],
  ] as const) {
    const failure = failureOf(error);
    t.equal(failure.code, code, JSON.stringify(error).slice(0, 60));
    t.notMatch(failure.message, /sk-abc/);
    t.ok(failure.message.length < 400);
  }
});

t.test('an error of ours stays what it is', async (t) => {
  const own = new CortexError('ETIMEDOUT', 'too slow');
  t.equal(failureOf(own), own);
});

t.test('no text that a provider sends makes an error hold the key, its beginning or its end', async () => {
  const key = fc.stringMatching(/^[\x21-\x7e]{8,60}$/);
  const places = fc.constantFrom('message', 'body', 'cause');
  fc.assert(
    fc.property(
      key,
      fc.string(),
      fc.string(),
      places,
      fc.integer({ min: 400, max: 599 }),
      (secret, a, b, where, statusCode) => {
        const text = `${a} ${secret} ${b}${secret}${a} ${secret.slice(0, 6)}*** ${encodeURIComponent(secret)}`;
        const error = new APICallError({
          message: where === 'message' ? text : 'x',
          url: `http://x/?key=${secret}`,
          requestBodyValues: {},
          statusCode,
          ...(where === 'body' ? { responseBody: text } : {}),
          ...(where === 'cause' ? { cause: new Error(text) } : {}),
        });
        const { message, hint = '' } = new Redaction(secret).failure(error, 'model/p/m');
        const told = `${message} ${hint}`;
        return !told.includes(secret) && (told.includes('HTTP') || told.includes('invalid output'));
      },
    ),
  );
});

t.test('without a key nothing is taken out', async (t) => {
  t.equal(new Redaction(undefined).text('as it is'), 'as it is');
  t.equal(
    new Redaction('sk-1234567890').text('the sk-123*** key ends in 567890, no more'),
    'the *** key ends in *** no more',
  );
});
