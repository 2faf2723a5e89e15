import { once } from 'node:events';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { parseObjectName } from '@cortexfs/abi/names';
import t from 'tap';
import { ask, events, serve, stream } from './server.ts';

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});
const usage = {
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [],
  usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
};
const tools = [{ name: parseObjectName('fs.read'), description: 'reads', schema: { type: 'object' } }];

t.test('llama.cpp: reasoning_content, a call in pieces, usage in the last event', async (t) => {
  const bodies: Record<string, unknown>[] = [];
  const { url } = await serve(t, (request, response, body) => {
    bodies.push({ path: request.url, authorization: request.headers.authorization, ...JSON.parse(body) });
    const call = (piece: object) => chunk({ tool_calls: [{ index: 0, ...piece }] });
    stream(
      events(
        chunk({ role: 'assistant', content: null }),
        chunk({ reasoning_content: 'I should ' }),
        chunk({ reasoning_content: 'read it.' }),
        call({ id: 'kq3VWnTyZ1', type: 'function', function: { name: 'fs_read', arguments: '' } }),
        call({ function: { arguments: '{"path":' } }),
        call({ function: { arguments: '"a.txt"}' } }),
        chunk({}, 'tool_calls'),
        { ...usage, timings: { prompt_n: 12, predicted_per_second: 31.4 } },
        '[DONE]',
      ),
    )(request, response, body);
  });
  const messages = [{ role: 'user', content: 'read a.txt' } as const];
  const { yielded, error } = await ask(t, `${url}/v1`, { messages, tools });
  t.equal(error, undefined);
  t.strictSame(yielded, [
    { type: 'reasoning_delta', text: 'I should ' },
    { type: 'reasoning_delta', text: 'read it.' },
    { type: 'usage', input_tokens: 12, output_tokens: 5, reasoning_tokens: 0, cached_tokens: 0 },
    { type: 'tool_call', id: 'kq3VWnTyZ1', name: 'fs.read', arguments: { path: 'a.txt' } },
  ]);
  t.match(bodies, [
    {
      path: '/v1/chat/completions',
      authorization: undefined,
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'read a.txt' }],
      tools: [
        {
          type: 'function',
          function: { name: 'fs_read', description: 'reads', parameters: { type: 'object' } },
        },
      ],
    },
  ]);
});

t.test('Ollama: reasoning, a call in one piece, finished with stop', async (t) => {
  const { url } = await serve(
    t,
    stream(
      events(
        chunk({ role: 'assistant', content: '', reasoning: 'Hm.' }),
        chunk({
          role: 'assistant',
          content: '',
          tool_calls: [
            {
              id: 'call_8x2k',
              index: 0,
              type: 'function',
              function: { name: 'fs_read', arguments: '{"path":"b"}' },
            },
          ],
        }),
        chunk({ role: 'assistant', content: '' }, 'stop'),
        usage,
        '[DONE]',
      ),
    ),
  );
  const { yielded } = await ask(t, `${url}/v1`, { messages: [{ role: 'user', content: 'x' }], tools });
  t.match(yielded, [
    { type: 'reasoning_delta', text: 'Hm.' },
    { type: 'usage', input_tokens: 12 },
    { type: 'tool_call', id: 'call_8x2k', arguments: { path: 'b' } },
  ]);
});

t.test('OpenRouter: comments between events, errors in the middle of the stream', async (t) => {
  const waiting = ': OPENROUTER PROCESSING\n\n';
  const { url } = await serve(t, (request, response, body) => {
    const answer = body.includes('fails')
      ? `${events(chunk({ content: 'Half' }))}${events({ error: { code: 502, message: 'Provider disconnected' } })}`
      : waiting +
        events(chunk({ role: 'assistant', content: 'Hi' })) +
        waiting +
        events(chunk({}, 'stop'), '[DONE]');
    stream(answer)(request, response, body);
  });
  t.match(await ask(t, url, 'hello'), {
    yielded: [{ type: 'delta', text: 'Hi' }, { type: 'message' }],
    error: undefined,
  });
  const failed = await ask(t, url, 'fails');
  t.match(failed, {
    yielded: [{ type: 'delta', text: 'Half' }],
    error: { message: /Provider disconnected/ },
  });
  t.equal(failed.yielded.length, 1, 'no message after an error');
});

t.test('a redirect is refused: no key goes where nobody sent it', async (t) => {
  const elsewhere: unknown[] = [];
  const other = await serve(t, (request, response) => {
    elsewhere.push(request.headers);
    response.end();
  });
  const { url } = await serve(t, (_request, response) => {
    response.writeHead(307, { location: `${other.url}/v1/messages` });
    response.end();
  });
  for (const driver of ['openai-chat', 'anthropic-messages', 'google'] as const) {
    const { error } = await ask(t, url, 'hello', { driver, key: 'sk-1234567890' });
    t.match(error, { code: 'EPROTO', message: /redirect/ }, driver);
  }
  t.strictSame(elsewhere, []);
});

t.test('time-outs of a connection and of the first word', async (t) => {
  // It takes connections and never says a word of TLS.
  const mute = createTcpServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  t.teardown(() => mute.close());
  const parameters = 'connect_timeout_s=0.2\nretry_delay_s=0\n';
  const { port } = mute.address() as AddressInfo;
  const slow = await ask(t, `https://127.0.0.1:${port}/v1`, 'x', { parameters });
  t.match(slow.error, { code: 'ETIMEDOUT', message: /no connection/ });
  let asked = 0;
  const { url } = await serve(t, (_request, response) => {
    asked++;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': wait\n\n');
  });
  const silent = await ask(t, url, 'x', { parameters: 'first_token_timeout_s=0.2\n' });
  t.match(silent.error, { code: 'ETIMEDOUT', message: 'the model said nothing for 0.2 s' });
  t.equal(asked, 1, 'a model that is this slow is not asked again');
});

t.test('proxies of the environment, and what goes past them', async (t) => {
  const tunnels: string[] = [];
  const { url } = await serve(t, stream(events(chunk({ content: 'Hi' }, 'stop'), '[DONE]')));
  const proxy = await serve(t, () => {});
  proxy.server.on('connect', (request, socket) => {
    tunnels.push(request.url!);
    socket.on('error', () => {});
    if (request.url!.endsWith(':443')) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const through = connect(Number(request.url!.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    through.on('error', () => socket.destroy());
    socket.on('close', () => through.destroy());
  });
  const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
  t.match(await ask(t, url, 'x', { env }), { error: undefined, yielded: [{ text: 'Hi' }] });
  t.strictSame(tunnels.splice(0), [new URL(url).host]);
  t.match(await ask(t, url, 'x', { env: { ...env, NO_PROXY: '127.0.0.1' } }), { error: undefined });
  t.strictSame(tunnels.splice(0), []);
  const refused = await ask(t, 'https://provider.invalid/v1', 'x', { env, parameters: 'retry_delay_s=0\n' });
  t.match(refused.error, { code: 'EHOSTDOWN' });
  t.ok(tunnels.length > 0 && tunnels.every((target) => target === 'provider.invalid:443'), 'by HTTPS_PROXY');
});

t.test('what the configuration does not offer is not asked for', async (t) => {
  const { url } = await serve(t, stream(''));
  t.match((await ask(t, url, 'x', { parameters: 'temprature=1\n' })).error, {
    code: 'EINVAL',
    path: 'model/local/m.d/default',
  });
  t.match((await ask(t, url, 'x', { key: 'two words' })).error, {
    code: 'EINVAL',
    path: 'secrets/provider/local/default',
  });
});
