import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAgentReply } from '@cortexfs/abi/frames/agent-reply';
import { parseInvocation } from '@cortexfs/abi/invocation';
import type { JsonObject } from '@cortexfs/abi/json';
import { parseSessionMessage } from '@cortexfs/abi/session/message';
import t from 'tap';
import type { Frame } from './client.ts';
import { TestHost } from './host.ts';

const types = (frames: readonly { type: string }[]) => frames.map(({ type }) => type);
/** What the fixture encodes, because it cannot escape it for JSON. */
const decoded = (frames: readonly Frame[]) => {
  const message = frames.find(({ type }) => type === 'message') as
    | { content: { text: string }[] }
    | undefined;
  return Buffer.from(message?.content[0]?.text ?? '', 'base64').toString();
};
const envelopeIn = (frames: readonly Frame[]) => parseInvocation(Buffer.from(`${decoded(frames)}\n`));

t.test('messages to an executable agent', async (t) => {
  const host = await TestHost.start(t);
  const client = await host.client();
  t.teardown(() => client.close());

  await t.test('one answer: start, message, done, and all of it on the disk', async (t) => {
    const frames = await client.send({ op: 'send', id: 'a', session: 'one', input: 'answer' }).run('a');
    t.strictSame(types(frames), ['start', 'message', 'done']);
    t.match(frames[1], { role: 'assistant', content: [{ type: 'text', text: 'hello' }] });
    t.match(frames[2], { status: 'ok' });
    t.strictSame(host.records('events.jsonl', 'one'), frames, 'what was sent is what is stored');
    for (const frame of frames) t.ok(parseAgentReply(frame as unknown as JsonObject));
    const messages = host
      .records('messages.jsonl', 'one')
      .map((line) => parseSessionMessage(line as unknown as JsonObject));
    t.match(messages, [
      { role: 'user', content: [{ text: 'answer' }] },
      { role: 'assistant', content: [{ text: 'hello' }] },
    ]);
    t.equal(host.file('latest.md', 'one'), 'hello\n');
    t.equal(host.file('state', 'one'), 'done\n');
    t.equal(host.file('../index/current', 'one'), 'one\n');
  });

  await t.test('deltas and usage stream, and make the answer where no message does', async (t) => {
    const frames = await client.send({ op: 'send', id: 'b', session: 'two', input: 'deltas' }).run('b');
    t.strictSame(types(frames), ['start', 'delta', 'usage', 'delta', 'message', 'done']);
    t.match(frames[4], { content: [{ text: 'one two' }] });
    t.match(frames[2], { input_tokens: 3 });
  });

  await t.test('the envelope of step 0 has the prompt, the history and no observation', async (t) => {
    host.site.write('workspace/AGENTS.md', 'Always be kind.\n');
    host.site.write('store/agent/coder.d/system.md', 'You are terse.\n');
    await client.send({ op: 'send', id: 'c1', session: 'three', input: 'answer' }).run('c1');
    const frames = await client.send({ op: 'send', id: 'c2', session: 'three', input: 'envelope' }).run('c2');
    const invocation = envelopeIn(frames);
    t.match(invocation, {
      run: frames[0]!['run'],
      step: 0,
      input: 'envelope',
      observation: null,
      tool_context: '',
    });
    const [system, ...history] = JSON.parse(invocation.history_messages);
    t.equal(system.role, 'system');
    for (const part of [
      'You are terse.',
      'Always be kind.',
      'Your only native callable tool is tsh.',
      'directly: fs.read, big',
    ]) {
      t.ok(system.content.includes(part), part);
    }
    t.strictSame(history, [
      { role: 'user', content: 'answer' },
      { role: 'assistant', content: 'hello' },
    ]);
    t.match(host.file('AGENTS.md', 'three'), /Always be kind/);
    t.match(host.file('SKILLS.md', 'three'), /^$/);
  });

  await t.test('the environment is the allowlist and nothing of the host', async (t) => {
    const frames = await client.send({ op: 'send', id: 'd', session: 'four', input: 'environment' }).run('d');
    const text = decoded(frames);
    const names = [...text.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]);
    t.strictSame(names, [
      'CTX_AGENT',
      'CTX_AGENT_STEP',
      'CTX_AGENT_SUBJECT',
      'CTX_CONTROL_SOCKET',
      'CTX_HOME',
      'CTX_PATH',
      'CTX_ROOT',
      'CTX_RUN_ID',
      'CTX_SESSION',
      'HOME',
      'LANG',
      'LOGNAME',
      'PATH',
      'PWD',
      'SHELL',
      'TERM',
      'USER',
    ]);
    t.match(text, /^cwd=\/workspace$/m);
  });

  await t.test('cwd: a directory of the workspace, ENOENT when missing, EACCES outside', async (t) => {
    host.site.write('workspace/sub/file', '');
    const frames = await client
      .send({ op: 'send', id: 'e1', session: 'five', cwd: '/workspace/sub', input: 'environment' })
      .run('e1');
    t.match(decoded(frames), /^cwd=\/workspace\/sub$/m);
    client.send({ op: 'send', id: 'e2', session: 'five', cwd: '/workspace/none', input: 'answer' });
    t.match(await client.until((frame) => frame['request_id'] === 'e2'), {
      type: 'error',
      code: 'ENOENT',
      path: '/workspace/none',
    });
    client.send({ op: 'send', id: 'e3', session: 'five', cwd: '/workspace/../etc', input: 'answer' });
    t.match(await client.until((frame) => frame['request_id'] === 'e3'), { type: 'error', code: 'EACCES' });
  });

  await t.test('a tool call: decided, run in the sandbox, observed, continued', async (t) => {
    const frames = await client.send({ op: 'send', id: 'f', session: 'six', input: 'call fs.read' }).run('f');
    t.strictSame(types(frames), ['start', 'tool_call', 'tool_result', 'message', 'done']);
    t.match(frames[1], { tool_call_id: 'c1', name: 'fs.read', arguments: { path: 'README.md' } });
    t.match(frames[2], {
      tool_call_id: 'c1',
      name: 'fs.read',
      status: 'ok',
      content: '{path:README.md}',
      truncated: false,
    });
    const invocation = envelopeIn(frames);
    t.match(invocation, {
      step: 1,
      input: 'call fs.read',
      observation: { tool_call_id: 'c1', status: 'ok', content: '{path:README.md}' },
    });
    const history = JSON.parse(invocation.history_messages).slice(1);
    t.match(history, [
      { role: 'user', content: 'call fs.read' },
      { role: 'assistant', content: [{ type: 'tool_call', id: 'c1', name: 'fs.read' }] },
    ]);
    t.equal(history.length, 2, 'the observation is not in the history as well');
    t.match(host.records('messages.jsonl', 'six')[1], {
      role: 'tool',
      content: [{ type: 'tool_result', tool_call_id: 'c1', status: 'ok' }],
    });
  });

  await t.test('a later run sees the call and its result as a pair', async (t) => {
    const frames = await client.send({ op: 'send', id: 'f2', session: 'six', input: 'envelope' }).run('f2');
    const history = JSON.parse(envelopeIn(frames).history_messages).slice(1);
    t.match(history.slice(0, 3), [
      { role: 'user', content: 'call fs.read' },
      {
        role: 'assistant',
        content: [{ type: 'tool_call', id: 'c1', name: 'fs.read', arguments: { path: 'README.md' } }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool_result', tool_call_id: 'c1', status: 'ok', content: '{path:README.md}' }],
      },
    ]);
  });

  await t.test('eight calls and nine starts are allowed, a ninth call is not', async (t) => {
    const eight = await client.send({ op: 'send', id: 'g8', session: 'seven', input: 'calls 8' }).run('g8');
    t.match(eight.at(-2), { type: 'message', content: [{ text: 'after 8 calls' }] });
    t.equal(eight.filter(({ type }) => type === 'tool_result').length, 8);
    const nine = await client.send({ op: 'send', id: 'g9', session: 'seven', input: 'calls 9' }).run('g9');
    t.match(nine.at(-2), { type: 'error', code: 'EINVAL' });
    t.equal(nine.filter(({ type }) => type === 'tool_result').length, 8);
    const ran = readFileSync(join(host.site.workspace, 'ran'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith(String(nine[0]!['run'])));
    t.equal(ran.length, 8);
  });

  await t.test('the tsh operation runs the tool shell without the agent', async (t) => {
    const frames = await client
      .send({ op: 'tsh', id: 'h', session: 'eight', args: ['load', 'bash'] })
      .run('h');
    t.strictSame(types(frames), ['start', 'tool_call', 'tool_result', 'done']);
    t.match(frames[1], { name: 'tsh', arguments: { args: ['load', 'bash'] } });
    t.match(frames[2], { status: 'ok', content: '{args:[load,bash]}' });
    t.equal(host.file('messages.jsonl', 'eight'), '', 'it is no part of the conversation');
  });

  await t.test('a request longer than an envelope holds is EMSGSIZE', async (t) => {
    client.send({ op: 'send', id: 'i', session: 'one', input: 'a'.repeat(64 * 1024 + 1) });
    t.match(await client.until((frame) => frame['request_id'] === 'i'), { type: 'error', code: 'EMSGSIZE' });
  });
});
