import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { TestHost } from './host.ts';

t.test("the operations of an agent's socket", async (t) => {
  const host = await TestHost.start(t, { env: 'step_timeout_s=30\n' });
  const client = await host.client();
  t.teardown(() => client.close());

  await t.test('ping, and status of a session', async (t) => {
    t.match(await client.send({ op: 'ping' }).type('pong'), { type: 'pong' });
    client.send({ op: 'status', session: 'default' });
    t.match(await client.type('status'), { session: 'default', state: 'idle', run: null, last: 'e1' });
    client.send({ op: 'status', session: 'nobody' });
    t.match(await client.until(({ code }) => code === 'ENOENT'), { type: 'error' });
  });

  await t.test('resume after every event gives exactly the rest, then where it ended', async (t) => {
    const all = await client.send({ op: 'send', id: 'r1', session: 'resumed', input: 'deltas' }).run('r1');
    for (const [index, { id }] of [{ id: undefined }, ...all].entries()) {
      const other = await host.client();
      other.send({ op: 'resume', session: 'resumed', ...(id === undefined ? {} : { after: id }) });
      t.match(await other.type('resumed'), { last: all.at(-1)!['id'] });
      t.strictSame(other.frames.slice(0, -1), all.slice(index), `after ${id}`);
      other.close();
    }
    client.send({ op: 'resume', session: 'resumed', after: 'e99' });
    t.match(await client.until(({ message }) => /no event e99/.test(String(message))), { code: 'ENOENT' });
  });

  await t.test('a second client resumes into a run that is active', async (t) => {
    const asker = await host.client();
    asker.send({ op: 'send', id: 'live', session: 'live', input: 'wait' });
    const start = await asker.type('start');
    await asker.type('delta');
    const watcher = await host.client();
    watcher.send({ op: 'resume', session: 'live' });
    await watcher.type('resumed');
    t.match(
      watcher.frames.map(({ type }) => type),
      ['start', 'delta', 'resumed'],
    );
    watcher.send({ op: 'status', session: 'live' });
    t.match(await watcher.type('status'), { state: 'active', run: start['run'], step: 0 });
    t.equal(host.status(), 'busy');
    watcher.send({ op: 'cancel', id: 'live' });
    t.match(await watcher.type('ok'), { op: 'cancel' });
    t.match(await watcher.type('done'), { status: 'cancelled', run: start['run'] });
    t.match(await asker.type('done'), { status: 'cancelled' }, "on the run's own stream as well");
    t.equal(host.file('state', 'live'), 'cancelled\n');
    asker.close();
    watcher.close();
  });

  await t.test(
    'a cancelled run is ended with SIGKILL when it ignores SIGTERM, and records nothing more',
    async (t) => {
      client.send({ op: 'send', id: 'st', session: 'stubborn', input: 'stubborn' });
      const start = await client.until((frame) => frame['request_id'] === 'st');
      await client.until((frame) => frame.type === 'delta' && frame['run'] === start['run']);
      client.send({ op: 'cancel', id: start['run'] });
      t.match(await client.until((frame) => frame.type === 'done' && frame['run'] === start['run']), {
        status: 'cancelled',
      });
      const stored = host.file('events.jsonl', 'stubborn');
      await delay(200);
      t.equal(host.file('events.jsonl', 'stubborn'), stored);
      t.notMatch(host.file('messages.jsonl', 'stubborn'), /"assistant"/);
      client.send({ op: 'cancel', id: start['run'] });
      t.match(await client.until(({ message }) => /active or waits/.test(String(message))), {
        code: 'ENOENT',
      });
    },
  );

  await t.test('a tool is cancelled with its run', async (t) => {
    client.send({ op: 'send', id: 'sl', session: 'slow', input: 'call slow' });
    const start = await client.until((frame) => frame['request_id'] === 'sl');
    await client.until((frame) => frame.type === 'tool_call' && frame['run'] === start['run']);
    client.send({ op: 'cancel', id: start['run'], session: 'slow' });
    t.match(await client.until((frame) => frame.type === 'done' && frame['run'] === start['run']), {
      status: 'cancelled',
    });
    t.notOk(client.frames.some((frame) => frame.type === 'tool_result' && frame['run'] === start['run']));
  });

  await t.test(
    'the same id replays, another payload is EINVAL, two clients at once get one run',
    async (t) => {
      const request = { op: 'send', id: 'same', session: 'same', input: 'calls 1' };
      const [one, two] = await Promise.all([host.client(), host.client()]);
      const frames = await Promise.all([one.send(request).run('same'), two.send(request).run('same')]);
      t.strictSame(frames[0], frames[1]);
      const again = await host.client();
      // Another order of keys and an unknown field are the same request.
      t.strictSame(
        await again.send({ input: 'calls 1', session: 'same', id: 'same', op: 'send', extra: 1 }).run('same'),
        frames[0],
      );
      again.send({ ...request, input: 'other' });
      t.match(await again.type('error'), { code: 'EINVAL', request_id: 'same' });
      t.equal(host.records('events.jsonl', 'same').filter(({ type }) => type === 'start').length, 1);
      for (const each of [one, two, again]) each.close();
    },
  );

  await t.test('one run at a time, sixteen wait in order, the next is EAGAIN', async (t) => {
    const busy = await host.client();
    busy.send({ op: 'send', id: 'first', session: 'queue', input: 'wait' });
    const first = await busy.type('start');
    for (let index = 0; index < 17; index++)
      busy.send({ op: 'send', id: `q${index}`, session: 'queue', input: 'answer' });
    t.match(await busy.type('error'), { code: 'EAGAIN', request_id: 'q16' });
    busy.send({ op: 'cancel', id: 'q3' });
    t.match(await busy.until((frame) => frame['request_id'] === 'q3'), { type: 'error', code: 'ECANCELED' });
    busy.send({ op: 'cancel', id: first['run'] });
    await busy.run('q15');
    const started = busy.frames.filter(({ type }) => type === 'start').map((frame) => frame['request_id']);
    t.strictSame(started, [
      'first',
      ...Array.from({ length: 16 }, (_, index) => `q${index}`).filter((id) => id !== 'q3'),
    ]);
    const order = host.records('events.jsonl', 'queue').map(({ run }) => run);
    t.equal(
      new Set(order).size,
      order.filter((run, index) => run !== order[index - 1]).length,
      'runs do not interleave',
    );
    busy.close();
  });

  await t.test('a client that leaves does not end its run', async (t) => {
    const leaving = await host.client();
    leaving.send({ op: 'send', id: 'left', session: 'left', input: 'calls 2' });
    await leaving.type('start');
    leaving.close();
    const back = await host.client();
    const frames = await back.send({ op: 'send', id: 'left', session: 'left', input: 'calls 2' }).run('left');
    t.match(frames.at(-1), { status: 'ok' });
    back.close();
  });

  await t.test('stop ends the host in order', async (t) => {
    const last = await host.client();
    last.send({ op: 'send', id: 'cut', session: 'cut', input: 'wait' });
    await last.type('start');
    last.send({ op: 'stop' });
    t.match(await last.type('ok'), { op: 'stop' });
    t.match(await last.type('done'), { status: 'cancelled' });
    t.equal(await host.end('SIGCONT'), 0);
    t.equal(host.status(), 'dead');
    t.notOk(existsSync(host.socket));
    t.notOk(existsSync(join(host.site.runtime, 'launch/coder/socket.json')));
    t.match(host.records('events.jsonl').at(-1), { type: 'agent.stop' });
  });
});

t.test('approval asks for every call and fails closed', async (t) => {
  const host = await TestHost.start(t, { approval: 'ask\n', env: 'step_timeout_s=30\n' });
  let count = 0;
  const ask = async (answer: (client: Awaited<ReturnType<TestHost['client']>>, run: unknown) => void) => {
    const client = await host.client();
    const id = `ask${count++}`;
    client.send({ op: 'send', id, session: id, input: 'call fs.read' });
    const request = await client.type('approval_request');
    t.match(request, {
      tool_call_id: 'c1',
      name: 'fs.read',
      arguments: { path: 'README.md' },
      cwd: '/workspace',
    });
    answer(client, request['run']);
    for (let looks = 0; !/"type":"done"/.test(host.file('events.jsonl', id)) && looks < 3000; looks++)
      await delay(20);
    client.close();
    return host.records('events.jsonl', id);
  };
  const ran = () =>
    existsSync(join(host.site.workspace, 'ran'))
      ? readFileSync(join(host.site.workspace, 'ran'), 'utf8').split('\n').length - 1
      : 0;

  const allowed = await ask((client, run) =>
    client.send({ op: 'approve', run, id: 'c1', decision: 'allow_once' }),
  );
  t.match(
    allowed.map(({ type }) => type),
    ['start', 'tool_call', 'approval_request', 'approval_result', 'tool_result', 'message', 'done'],
  );
  t.match(allowed[4], { status: 'ok' });
  t.equal(ran(), 1);

  const denials: [string, (client: Awaited<ReturnType<TestHost['client']>>, run: unknown) => void][] = [
    ['deny', (client, run) => client.send({ op: 'approve', run, id: 'c1', decision: 'deny' })],
    ['another call', (client, run) => client.send({ op: 'approve', run, id: 'c2', decision: 'allow_once' })],
    [
      'another run',
      (client) => client.send({ op: 'approve', run: 'other', id: 'c1', decision: 'allow_once' }),
    ],
    ['malformed', (client) => client.send('{"op":"approve"\n')],
    [
      'one key more',
      (client, run) => client.send({ op: 'approve', run, id: 'c1', decision: 'allow_once', always: true }),
    ],
    ['EOF', (client) => client.socket.end()],
    ['gone', (client) => client.close()],
  ];
  for (const [what, answer] of denials) {
    const events = await ask(answer);
    t.match(
      events.find(({ type }) => type === 'approval_result'),
      { decision: 'deny' },
      what,
    );
    t.match(
      events.find(({ type }) => type === 'tool_result'),
      { status: 'error', content: /^EACCES: tool\/fs.read: the call was denied/ },
      what,
    );
    t.match(events.at(-1), { type: 'done', status: 'ok' }, `${what}: the run goes on`);
  }
  t.equal(ran(), 1, 'nothing else ran');

  await t.test('another connection cannot approve, and a late answer changes nothing', async (t) => {
    const events = await ask(async (client, run) => {
      const stranger = await host.client();
      stranger.send({ op: 'approve', run, id: 'c1', decision: 'allow_once' });
      t.match(await stranger.type('error'), { code: 'EINVAL' });
      stranger.close();
      client.send({ op: 'approve', run, id: 'c1', decision: 'deny' });
      client.send({ op: 'approve', run, id: 'c1', decision: 'allow_once' });
    });
    t.match(
      events.filter(({ type }) => type === 'approval_result'),
      [{ decision: 'deny' }],
    );
    t.equal(ran(), 1);
  });
});
