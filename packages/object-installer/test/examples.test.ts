import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAgentOutput } from '@cortexfs/abi/frames/agent-output';
import { formatInvocation, type Observation } from '@cortexfs/abi/invocation';
import { parseJsonObject } from '@cortexfs/abi/json';
import { parseCallId, parseObjectName, parseRunId } from '@cortexfs/abi/names';
import { parseToolFrame, ToolOutput } from '@cortexfs/abi/tool-io';
import t from 'tap';
import { checkObject } from '../src/check/object.ts';

const examples = join(import.meta.dirname, '../../../examples');

/** Runs an example as its user would, and reads what it wrote line by line. */
function run(name: string, args: string[], input: string | Buffer = '') {
  const { status, stdout } = spawnSync(join(examples, name, name), args, {
    input,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], CTX_RUN_ID: 'run-7' },
  });
  return {
    status,
    frames: stdout
      .trimEnd()
      .split('\n')
      .map((line) => parseJsonObject(line)),
  };
}

function tool(name: string, args: string[], input?: string) {
  const { status, frames } = run(name, args, input);
  const output = new ToolOutput();
  for (const frame of frames) output.add(parseToolFrame(frame));
  return { exit: status, ...output.result() };
}

t.test('every example is valid, and built from its source', async (t) => {
  for (const name of ['words', 'counter', 'shout', 'sum']) {
    t.match(await checkObject(join(examples, name, 'object.json')), { valid: true }, name);
  }
  const { status, stdout } = spawnSync(process.execPath, [join(examples, 'build.mjs'), '--check'], {
    encoding: 'utf8',
  });
  t.same([status, stdout], [0, '']);
});

t.test('the tools take arguments or standard input, JSON or text', async (t) => {
  const cases: [name: string, text: string, json: string, result: string][] = [
    [
      'words',
      'hello big world',
      '{"text":"hello big world"}',
      '{"words":3,"characters":15,"longest":"hello"}',
    ],
    ['shout', 'say "hi" \\ \n again', '{"text":"say \\"hi\\" \\\\ \\n again"}', 'SAY "HI" \\ \n AGAIN'],
    ['sum', '1 2 3', '{"numbers":[1,2,3]}', '{"sum": 6, "least": 1, "greatest": 3}'],
  ];
  for (const [name, text, json, result] of cases) {
    t.same(tool(name, [json]), { exit: 0, status: 'ok', content: result }, `${name} '${json}'`);
    const plain = tool(name, [], text);
    t.same([plain.exit, plain.status], [0, 'ok'], `${name} of plain text`);
    if (name !== 'sum') t.equal(plain.content, result);
  }
});

t.test('what a tool cannot read is an error frame, and exit 2', async (t) => {
  for (const [name, input] of [
    ['words', '{"text":1}'],
    ['words', '{'],
    ['shout', '{"txt":"a"}'],
    ['shout', ''],
    ['sum', '{"numbers":["x"]}'],
    ['sum', 'one'],
    ['sum', ''],
  ] as const) {
    t.match(tool(name, [], input), { exit: 2, status: 'error', code: 'EINVAL' }, `${name} ${input}`);
  }
});

t.test('the agent asks for one call, then says what came of it', async (t) => {
  const step = (number: number, observation: Observation | null) => {
    const envelope = formatInvocation({
      schema: 'cortexfs.agent-invocation/v1',
      run: parseRunId('run-7'),
      step: number,
      input: 'how many words',
      history_messages: '[]',
      tool_context: '',
      observation,
    });
    const { status, frames } = run('counter', [], envelope);
    t.equal(status, 0);
    return frames.map((frame) => parseAgentOutput(frame));
  };
  t.match(step(0, null), [
    { type: 'tool_call', name: 'example.words', arguments: { text: 'how many words' } },
  ]);
  const result = {
    tool_call_id: parseCallId('count'),
    name: parseObjectName('example.words'),
    truncated: false,
  };
  const content = '{"words":3,"characters":14,"longest":"words"}';
  t.match(step(1, { ...result, status: 'ok', content }), [
    { type: 'message', content: [{ text: 'That is 3 words, the longest is "words".' }] },
  ]);
  t.match(step(1, { ...result, status: 'error', content: 'EACCES' }), [
    { type: 'message', content: [{ text: 'I could not count: EACCES' }] },
  ]);
});
