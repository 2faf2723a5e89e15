import type { ModelMessage } from '@cortexfs/abi/model-io';
import { parseCallId, parseObjectName } from '@cortexfs/abi/names';
import fc from 'fast-check';
import t from 'tap';
import { turnOf } from '../../../src/model/script/turn.ts';

function user(content: string): ModelMessage {
  return { role: 'user', content };
}

function called(id: string): ModelMessage {
  return {
    role: 'assistant',
    content: [{ type: 'tool_call', id: parseCallId(id), name: parseObjectName('x'), arguments: {} }],
  };
}

function result(content: string, id = 'call-1'): ModelMessage {
  const part = {
    type: 'tool_result',
    tool_call_id: parseCallId(id),
    name: parseObjectName('x'),
    status: 'ok',
    content,
  } as const;
  return { role: 'tool', content: [part] };
}

const script = user('!say one\n!call a\n!say two\n!call b\n!say three');

t.test('before any result everything is left', async (t) => {
  const turn = turnOf([script]);
  t.equal(turn.rest.length, 5);
  t.match(turn, { done: 0, observation: undefined, plain: false });
});

t.test('each result moves on to the line after its call', async (t) => {
  const one = turnOf([script, called('call-1'), result('A')]);
  t.match(one, { rest: [{ text: 'two' }, { name: 'b' }, { text: 'three' }], done: 1, observation: 'A' });
  const two = turnOf([script, called('call-1'), result('A'), called('call-2'), result('B', 'call-2')]);
  t.match(two, { rest: [{ text: 'three' }], done: 2, observation: 'B' });
});

t.test('a tool message in plain text counts as one result', async (t) => {
  t.match(turnOf([script, { role: 'tool', content: 'A' }]), { done: 1, observation: 'A' });
});

t.test('only results after the last user message count', async (t) => {
  const turn = turnOf([
    user('!call old'),
    called('call-1'),
    result('old'),
    { role: 'assistant', content: 'x' },
    script,
  ]);
  t.match(turn, { done: 0, observation: undefined });
  t.equal(turn.rest.length, 5);
});

t.test('more results than calls leave nothing', async (t) => {
  t.same(turnOf([user('!call a\n!say x'), result('1'), result('2'), result('3')]).rest, []);
});

t.test('a message without directives is plain, one without a user message is empty', async (t) => {
  t.match(turnOf([user('hello')]), { plain: true, rest: [] });
  t.match(turnOf([]), { plain: true, rest: [], observation: undefined });
  t.match(turnOf([{ role: 'system', content: '!call a' }]), { plain: true, rest: [] });
});

t.test('a user message in parts is one text', async (t) => {
  const parts: ModelMessage = {
    role: 'user',
    content: [
      { type: 'text', text: '!say a\n' },
      { type: 'text', text: '!say b' },
    ],
  };
  t.match(turnOf([parts]).rest, [{ text: 'a' }, { text: 'b' }]);
});

t.test('stepping through any script performs every directive once, in order', async () => {
  const line = fc.constantFrom('!call a', '!call b {"n":1}', '!say x', 'prose', '!sleep 0', '!tsh w');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const all = turnOf([user(lines.join('\n'))]).rest;
      const messages = [user(lines.join('\n'))];
      const performed = [];
      for (;;) {
        const { rest } = turnOf(messages);
        const call = rest.findIndex(({ kind }) => kind === 'call');
        performed.push(...(call === -1 ? rest : rest.slice(0, call + 1)));
        if (call === -1) break;
        messages.push(called('c'), result('r'));
      }
      return JSON.stringify(performed) === JSON.stringify(all);
    }),
  );
});
