import { join } from 'node:path';
import t from 'tap';
import { modelUse } from '../../src/capability/model-use.ts';
import type { ModelEvent } from '../../src/model/model.ts';
import { scratch } from '../object-file.ts';
import { host, type Script } from './host.ts';

const messages = [{ role: 'user', content: 'hi' }] as const;

async function ask(
  t: Parameters<typeof host>[0],
  script: Script,
): Promise<{ events: ModelEvent[]; request: object }> {
  const { path, requests } = await host(t, script);
  const events: ModelEvent[] = [];
  for await (const event of modelUse(path, { messages: [...messages] })) events.push(event);
  return { events, request: requests[0]! };
}

t.test('one request goes out, the frames between start and done come back', async (t) => {
  const { events, request } = await ask(t, (_, peer) => {
    peer.frame({ type: 'start', model: 'debug/script' });
    peer.frame({ type: 'reasoning_delta', text: 'hm' });
    peer.frame({ type: 'delta', text: 'a' });
    peer.frame({ type: 'usage', input_tokens: 3 });
    peer.frame({ type: 'tool_call', id: 'call-1', name: 'fs.list', arguments: { path: '/' } });
    peer.frame({ type: 'done', status: 'ok' });
  });
  t.same(events, [
    { type: 'reasoning_delta', text: 'hm' },
    { type: 'delta', text: 'a' },
    { type: 'usage', input_tokens: 3 },
    { type: 'tool_call', id: 'call-1', name: 'fs.list', arguments: { path: '/' } },
  ]);
  t.match(request, { op: 'model.use', request_id: /^[0-9A-Z]{26}$/, messages });
  t.notOk('model' in request, 'the agent leaves the choice of its model to the host');
});

t.test('frames of other requests are not ours', async (t) => {
  const { events } = await ask(t, (_, peer) => {
    peer.raw(
      '{"type":"delta","text":"foreign","request_id":"other"}\n{"type":"error","code":"EIO","message":"x","request_id":"other"}\n',
    );
    peer.frame({ type: 'delta', text: 'mine' });
    peer.frame({ type: 'done', status: 'ok' });
  });
  t.same(events, [{ type: 'delta', text: 'mine' }]);
});

t.test('a frame may arrive in pieces', async (t) => {
  const { events } = await ask(t, (request, peer) => {
    const line = `{"type":"delta","text":"piece","request_id":"${request['request_id']}"}\n`;
    peer.raw(line.slice(0, 25));
    setTimeout(() => {
      peer.raw(line.slice(25));
      peer.frame({ type: 'done', status: 'ok' });
    }, 20);
  });
  t.same(events, [{ type: 'delta', text: 'piece' }]);
});

t.test('an error of the host keeps its code, message and hint', async (t) => {
  await t.rejects(
    ask(t, (_, peer) =>
      peer.frame({ type: 'error', code: 'EACCES', message: 'no rule', hint: 'add one', path: 'model/x/y' }),
    ),
    { code: 'EACCES', message: 'no rule', hint: 'add one', path: 'model/x/y', layer: 'model' },
  );
});

t.test('every other end is an error', async (t) => {
  const ends: [Script, string][] = [
    [(_, peer) => peer.frame({ type: 'done', status: 'error' }), 'EPROTO'],
    [(_, peer) => peer.frame({ type: 'done', status: 'cancelled' }), 'ECANCELED'],
    [(_, peer) => peer.end(), 'EHOSTDOWN'],
    [(_, peer) => peer.raw('not json\n'), 'EINVAL'],
    [(_, peer) => peer.raw(`{"type":"delta","text":"${'x'.repeat(1024 * 1024)}"}\n`), 'EMSGSIZE'],
    [(_, peer) => peer.raw('{"type":"surprise"}\n'), 'EINVAL'],
  ];
  for (const [script, code] of ends) await t.rejects(ask(t, script), { code }, code);
});

t.test('a socket that is not there is told by its path', async (t) => {
  const path = join(scratch(t), 'none.sock');
  await t.rejects(modelUse(path, { messages: [] }).next(), { code: 'ENOENT', path });
});

t.test('a request over 1 MiB is EMSGSIZE before anything is sent', async (t) => {
  const { path, requests } = await host(t, () => t.fail('nothing should arrive'));
  const content = 'x'.repeat(1024 * 1024);
  await t.rejects(modelUse(path, { messages: [{ role: 'user', content }] }).next(), { code: 'EMSGSIZE' });
  t.same(requests, []);
});
