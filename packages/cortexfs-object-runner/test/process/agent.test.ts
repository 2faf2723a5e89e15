import { parseAgentOutput } from '@cortexfs/abi/frames/agent-output';
import { formatInvocation, type Invocation } from '@cortexfs/abi/invocation';
import { parseJsonObject } from '@cortexfs/abi/json';
import { parseCallId, parseObjectName, parseRunId } from '@cortexfs/abi/names';
import t from 'tap';
import { host } from '../capability/host.ts';
import { execute, objectFile } from '../object-file.ts';

const run = parseRunId('run-1');

function invocation(more: Partial<Invocation> = {}): Invocation {
  return {
    schema: 'cortexfs.agent-invocation/v1',
    run,
    step: 0,
    input: 'do it',
    history_messages: '[{"role":"system","content":"be good"}]',
    tool_context: '',
    observation: null,
    ...more,
  };
}

function launch(socket: string, step = 0): Record<string, string> {
  return { CTX_CONTROL_SOCKET: socket, CTX_RUN_ID: run, CTX_AGENT_STEP: String(step), CTX_AGENT: 'coder' };
}

t.test('a step asks the model once and passes its frames on, each one that an agent may write', async (t) => {
  const { path, requests } = await host(t, (_, peer) => {
    peer.frame({ type: 'start', model: 'debug/script' });
    peer.frame({ type: 'reasoning_delta', text: 'r' });
    peer.frame({ type: 'delta', text: 'd' });
    peer.frame({ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'd' }] });
    peer.frame({ type: 'usage', output_tokens: 1 });
    peer.frame({ type: 'done', status: 'ok' });
  });
  const { code, stdout, stderr, frames } = await execute(objectFile(t, 'agent', 'coder'), [], {
    input: formatInvocation(invocation()),
    env: launch(path),
  });
  t.match({ code, stderr }, { code: 0, stderr: '' });
  t.same(
    frames.map(({ type, run }) => [type, run]),
    ['reasoning_delta', 'delta', 'message', 'usage'].map((type) => [type, run]),
  );
  for (const line of stdout.trimEnd().split('\n')) t.ok(parseAgentOutput(parseJsonObject(line)));
  t.equal(requests.length, 1);
  const { request_id: _, ...request } = requests[0]!;
  t.same(request, {
    op: 'model.use',
    messages: [
      { role: 'system', content: 'be good' },
      { role: 'user', content: 'do it' },
    ],
  });
});

t.test('a tool call is the last frame, even when the model goes on', async (t) => {
  const { path } = await host(t, (_, peer) => {
    peer.frame({ type: 'tool_call', id: 'call-1', name: 'fs.list', arguments: { path: '/' } });
    peer.frame({ type: 'tool_call', id: 'call-2', name: 'fs.list', arguments: {} });
    peer.frame({ type: 'delta', text: 'more' });
    peer.frame({ type: 'done', status: 'ok' });
  });
  const { code, frames } = await execute(objectFile(t, 'agent', 'coder'), [], {
    input: formatInvocation(invocation()),
    env: launch(path),
  });
  t.equal(code, 0);
  t.same(frames, [{ type: 'tool_call', id: 'call-1', name: 'fs.list', arguments: { path: '/' }, run }]);
});

t.test('a later step carries the result that the host states', async (t) => {
  const { path, requests } = await host(t, (_, peer) => peer.frame({ type: 'done', status: 'ok' }));
  const observation = {
    tool_call_id: parseCallId('call-1'),
    name: parseObjectName('fs.list'),
    status: 'ok' as const,
    content: '[]',
    truncated: false,
  };
  const { code } = await execute(objectFile(t, 'agent', 'coder'), [], {
    input: formatInvocation(invocation({ step: 1, observation })),
    env: launch(path, 1),
  });
  t.equal(code, 0);
  t.match(requests[0], {
    messages: [
      { role: 'system' },
      {
        role: 'tool',
        content: [{ type: 'tool_result', tool_call_id: 'call-1', status: 'ok', content: '[]' }],
      },
    ],
  });
});

t.test('an envelope that is not exactly one is refused before the model is asked', async (t) => {
  const { path, requests } = await host(t, () => t.fail('no request should arrive'));
  const agent = objectFile(t, 'agent', 'coder');
  const good = formatInvocation(invocation()).toString();
  for (const input of [
    '',
    good.trimEnd(),
    `${good}\n`,
    `${good}${good}`,
    ` ${good}`,
    good.replace('"step":0', '"step":1'),
    good.replace('"run-1"', '"run-2"'),
    good.replace('"tool_context":"",', ''),
    good.replace('{', '{"extra":1,'),
    good.replace('{', '{"step":0,'),
    good.replace('"do it"', '"\\ud800"'),
    good.replace('"do it"', `${'['.repeat(10_000)}`),
    good.replace('[{\\"role\\"', '[{\\"roll\\"'),
  ]) {
    const { code, stdout, stderr } = await execute(agent, [], { input, env: launch(path) });
    t.match({ code, stdout }, { code: 2, stdout: '' }, input.slice(0, 60));
    t.match(stderr, /^cortexfs-object-runner: EINVAL: /);
  }
  const long = await execute(agent, [], { input: Buffer.alloc(1024 * 1024 + 1, ' '), env: launch(path) });
  t.match(long, { code: 2, stdout: '', stderr: /EMSGSIZE/ });
  t.same(requests, []);
});

t.test('a failing model is a line on stderr and its exit code; no reserved frame is written', async (t) => {
  for (const [errno, exit] of [
    ['EACCES', 13],
    ['EHOSTDOWN', 69],
    ['EPROTO', 70],
  ] as const) {
    const { path } = await host(t, (_, peer) => {
      peer.frame({ type: 'delta', text: 'so far' });
      peer.frame({ type: 'error', code: errno, message: 'because' });
    });
    const { code, frames, stderr } = await execute(objectFile(t, 'agent', 'coder'), [], {
      input: formatInvocation(invocation()),
      env: launch(path),
    });
    t.equal(code, exit);
    t.match(frames, [{ type: 'delta' }]);
    t.equal(frames.length, 1);
    t.equal(stderr, `cortexfs-object-runner: ${errno}: because\n`);
  }
});

t.test('arguments are refused, and so is a start without a host', async (t) => {
  const agent = objectFile(t, 'agent', 'coder');
  t.match(await execute(agent, ['hello']), {
    code: 2,
    stdout: '',
    stderr: /EINVAL: agent\/coder: .*\nhint: ctx agent send coder/,
  });
  t.match(await execute(agent, [], { input: formatInvocation(invocation()) }), {
    code: 69,
    stdout: '',
    stderr: /ENOTCONN: agent\/coder: .*\nhint: ctx agent start coder/,
  });
});
