import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import t from 'tap';
import { host } from '../capability/host.ts';
import { execute, objectFile } from '../object-file.ts';

t.test('argument, text on stdin and messages on stdin are one thing', async (t) => {
  const echo = objectFile(t, 'model', 'debug/echo');
  const outcomes = [
    await execute(echo, ['hello', 'there']),
    await execute(echo, [], { input: 'hello there\n' }),
    await execute(echo, [], { input: '{"messages":[{"role":"user","content":"hello there"}]}\n' }),
    await execute(echo, ['{"messages":[{"role":"user","content":"hello there"}],"tools":[]}']),
  ];
  for (const { code, stderr, frames } of outcomes) {
    t.equal(code, 0);
    t.equal(stderr, '');
    t.match(frames, [
      { type: 'start', model: 'debug/echo' },
      { type: 'delta', text: 'hello there' },
      { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'hello there' }] },
      { type: 'done', status: 'ok' },
    ]);
    t.match(frames[0]!['run'], /^[0-9A-Z]{26}$/, 'a fresh run');
    t.equal(new Set(frames.map(({ run }) => run)).size, 1);
  }
  t.equal(new Set(outcomes.map(({ frames }) => frames[0]!['run'])).size, outcomes.length);
});

t.test('the run of the environment is used, a malformed one refused', async (t) => {
  const echo = objectFile(t, 'model', 'debug/echo');
  const { frames } = await execute(echo, ['x'], { env: { CTX_RUN_ID: 'run-7' } });
  t.ok(frames.every(({ run }) => run === 'run-7'));
  t.match(await execute(echo, ['x'], { env: { CTX_RUN_ID: '../x' } }), {
    code: 2,
    stdout: '',
    stderr: /EINVAL/,
  });
});

t.test('1 MiB of input, minus one, exactly, plus one', async (t) => {
  const echo = objectFile(t, 'model', 'debug/echo');
  const size = 1024 * 1024;
  for (const length of [size - 1, size]) {
    const { code, frames } = await execute(echo, [], { input: 'x'.repeat(length) });
    t.equal(code, 0);
    t.equal(frames.map(({ type, text }) => (type === 'delta' ? text : '')).join('').length, length);
    t.match(frames.at(-1), { type: 'done', status: 'ok' });
    t.notOk(
      frames.some(({ type }) => type === 'message'),
      'a message that fits into no frame is left to its deltas',
    );
  }
  const { code, frames } = await execute(echo, [], { input: 'x'.repeat(size + 1) });
  t.equal(code, 2);
  t.match(frames, [
    { type: 'start' },
    { type: 'error', code: 'EMSGSIZE' },
    { type: 'done', status: 'error' },
  ]);
});

t.test('input without end is refused after 1 MiB', async (t) => {
  const echo = objectFile(t, 'model', 'debug/echo');
  const zero = openSync('/dev/zero', 'r');
  const child = spawn(echo, [], { stdio: [zero, 'pipe', 'inherit'] });
  closeSync(zero);
  const out: Buffer[] = [];
  child.stdout!.on('data', (chunk: Buffer) => out.push(chunk));
  const [code] = await once(child, 'close');
  t.equal(code, 2);
  t.match(Buffer.concat(out).toString(), /"EMSGSIZE"/);
});

t.test('bad input is an error frame and exit 2', async (t) => {
  const echo = objectFile(t, 'model', 'debug/echo');
  for (const input of [
    '',
    '\n',
    Buffer.from([0xff, 0xfe]),
    '{"messages":[{"role":"user"}]}',
    '{"messages":[{"role":"robot","content":"x"}]}',
    '{"messages":"x"}',
    '{"messages":[]}',
    '{"messages":[{"role":"user","content":[{"type":"image"}]}]}',
  ]) {
    const { code, frames, stderr } = await execute(echo, [], { input });
    t.equal(code, 2, String(input));
    t.match(frames, [
      { type: 'start' },
      { type: 'error', code: 'EINVAL' },
      { type: 'done', status: 'error' },
    ]);
    t.equal(stderr, '');
  }
});

t.test('text that only looks like JSON is text', async (t) => {
  const echo = objectFile(t, 'model', 'debug/echo');
  for (const input of [
    '{',
    '{"a":1}',
    '{"messages":[],"messages":[]}',
    `${'['.repeat(200_000)}`,
    '{"messages":["\\ud800"]}',
  ]) {
    const { code, frames } = await execute(echo, [], { input });
    t.equal(code, 0);
    t.equal(frames.map(({ type, text }) => (type === 'delta' ? text : '')).join(''), input);
  }
});

t.test('debug/script: one conversation, one process an inference', async (t) => {
  const script = objectFile(t, 'model', 'debug/script');
  const user = { role: 'user', content: '!say looking\n!call fs.list {"path":"/workspace"}\n!say seen' };
  const first = await execute(script, [JSON.stringify({ messages: [user] })]);
  t.match(first.frames, [
    { type: 'start' },
    { type: 'delta', text: 'looking' },
    { type: 'tool_call', id: 'call-1', name: 'fs.list', arguments: { path: '/workspace' } },
    { type: 'done', status: 'ok' },
  ]);
  const call = {
    role: 'assistant',
    content: [{ type: 'tool_call', id: 'call-1', name: 'fs.list', arguments: {} }],
  };
  const result = {
    type: 'tool_result',
    tool_call_id: 'call-1',
    name: 'fs.list',
    status: 'ok',
    content: '[]',
  };
  const second = await execute(script, [], {
    input: JSON.stringify({ messages: [user, call, { role: 'tool', content: [result] }] }),
  });
  t.match(second.frames.at(-2), { type: 'message', content: [{ text: 'seen\n[]' }] });
});

t.test('debug/script: !fail is an error frame with the exit code of its errno', async (t) => {
  const script = objectFile(t, 'model', 'debug/script');
  for (const [errno, exit] of [
    ['EACCES', 13],
    ['EHOSTDOWN', 69],
    ['EPROTO', 70],
    ['EINVAL', 2],
    ['ENOENT', 1],
  ] as const) {
    const { code, frames } = await execute(script, [`!fail ${errno}`]);
    t.equal(code, exit);
    t.match(frames, [{ type: 'start' }, { type: 'error', code: errno }, { type: 'done', status: 'error' }]);
  }
});

t.test('a model is stopped by a signal in the middle of a wait', async (t) => {
  const child = spawn(objectFile(t, 'model', 'debug/script'), ['!sleep 60000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  child.kill('SIGTERM');
  const [code, signal] = await once(child, 'close');
  t.match({ code, signal }, { code: null, signal: 'SIGTERM' });
});

t.test('a reader that goes away ends the model quietly', async (t) => {
  const echo = objectFile(t, 'model', 'debug/echo');
  const child = spawn(
    '/bin/sh',
    ['-c', `head -c 500000 /dev/zero | tr '\\0' x | "$0" | head -c 10; exit 0`, echo],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const err: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const [code] = await once(child, 'close');
  t.equal(code, 0);
  t.equal(Buffer.concat(err).toString(), '');
});

t.test('with a capability socket the host answers, whatever the model', async (t) => {
  const { path, requests } = await host(t, (_, peer) => {
    peer.frame({ type: 'start', model: 'openai/gpt' });
    peer.frame({ type: 'delta', text: 'from the host' });
    peer.frame({ type: 'done', status: 'ok' });
  });
  const model = objectFile(t, 'model', 'openai/gpt');
  const env = { CTX_CONTROL_SOCKET: path, CTX_RUN_ID: 'run-1' };
  const { code, frames } = await execute(model, ['hi'], { env });
  t.equal(code, 0);
  t.same(frames, [
    { type: 'start', run: 'run-1', model: 'openai/gpt' },
    { type: 'delta', run: 'run-1', text: 'from the host' },
    { type: 'done', run: 'run-1', status: 'ok' },
  ]);
  t.match(requests, [{ op: 'model.use', model: 'openai/gpt', messages: [{ role: 'user', content: 'hi' }] }]);
});

t.test('a host that refuses is an error frame and its exit code', async (t) => {
  const { path } = await host(t, (_, peer) =>
    peer.frame({ type: 'error', code: 'EACCES', message: 'no rule' }),
  );
  const echo = objectFile(t, 'model', 'debug/echo');
  const { code, frames } = await execute(echo, ['hi'], { env: { CTX_CONTROL_SOCKET: path } });
  t.equal(code, 13);
  t.match(frames, [
    { type: 'start' },
    { type: 'error', code: 'EACCES', message: 'no rule' },
    { type: 'done', status: 'error' },
  ]);
});
