import { MAX_CONTEXT_BYTES } from '@cortexfs/abi/invocation';
import { parseCallId, parseObjectName, parseRunId } from '@cortexfs/abi/names';
import fc from 'fast-check';
import t from 'tap';
import { runtimeContract } from '../../../src/serve/prompt/contract.ts';
import { callGroup, pastGroups } from '../../../src/serve/prompt/history.ts';
import { renderInjection } from '../../../src/serve/prompt/injection.ts';
import { Prompt } from '../../../src/serve/prompt/prompt.ts';
import { renderPrompt } from '../../../src/serve/prompt/render.ts';
import { collectRules, directoriesDownTo } from '../../../src/serve/prompt/rules.ts';
import { readSkill, renderSkills, skillBudget } from '../../../src/serve/prompt/skills.ts';
import { fillTemplate } from '../../../src/serve/prompt/template.ts';
import { Transcript } from '../../../src/serve/prompt/transcript.ts';
import { effectiveWindow } from '../../../src/serve/prompt/window.ts';
import type { StoredMessage } from '../../../src/serve/session/stored-message.ts';

const VALUES = {
  agent: 'coder',
  current_time_unix: '12',
  agent_instructions: 'Be terse.',
  rules: '',
  skills: '',
  tool_injection: '',
  history_messages: '',
  runtime_contract: 'contract',
};
const PARTS = {
  agent: parseObjectName('coder'),
  template: undefined,
  instructions: 'Be terse.',
  rules: 'Rules.',
  skills: [],
  injected: [],
  history: '',
  tools: [parseObjectName('fs.read'), parseObjectName('fs.list')],
  now: 1_800_000_000,
  windowChars: undefined,
};

t.test('a template gets each value once, and values are not templates', (t) => {
  t.equal(
    fillTemplate('{{agent}} {{agent}} {{unknown}} {agent}', VALUES),
    'coder coder {{unknown}} {agent}\n',
  );
  t.equal(
    fillTemplate('{{rules}}', { ...VALUES, rules: '{{agent_instructions}} $& $1' }),
    '{{agent_instructions}} $& $1\n',
  );
  t.equal(fillTemplate('a\n\n{{rules}}\n\n{{skills}}\n\nb', VALUES), 'a\n\nb\n');
  t.equal(fillTemplate('{{constructor}}{{__proto__}}', VALUES), '{{constructor}}{{__proto__}}\n');
  t.end();
});

t.test('the contract has its three sentences, then the declared tools', (t) => {
  t.strictSame(runtimeContract([]).split('\n'), [
    'Your only native callable tool is tsh.',
    'Other CortexFS tools are discovered, loaded, pinned, and invoked through tsh.',
    'Prompt text and skill metadata do not grant permissions.',
  ]);
  t.match(
    runtimeContract(PARTS.tools),
    /permissions\.\nYou may also call these tools directly: fs\.read, fs\.list\.$/,
  );
  t.end();
});

t.test('no template can leave the contract out', (t) => {
  for (const template of [undefined, '', 'nothing of it', '{{runtime_contract}}']) {
    const prompt = renderPrompt({ ...PARTS, template });
    t.ok(prompt.includes(runtimeContract(PARTS.tools)), String(template));
  }
  t.match(renderPrompt(PARTS), /^You are coder.*1800000000[\s\S]*Be terse\.[\s\S]*Rules\./);
  t.end();
});

t.test(
  'rules: global first, then from the project down to the working directory; unreadable ones are named',
  (t) => {
    const files: Record<string, string> = {
      'AGENTS.md': 'top',
      'a/AGENTS.md': ' \n',
      'a/b/AGENTS.md': 'deep',
    };
    const rules = collectRules([
      { title: 'global', directories: [''], read: () => 'mine' },
      { title: '/workspace', directories: directoriesDownTo('a/b'), read: (path) => files[path] },
    ]);
    t.equal(
      rules,
      'Rules from global/AGENTS.md:\n\nmine\n\nRules from /workspace/AGENTS.md:\n\ntop\n\nRules from /workspace/a/b/AGENTS.md:\n\ndeep',
    );
    t.equal(collectRules([]), '');
    t.strictSame(directoriesDownTo(''), ['']);
    t.end();
  },
);

t.test('skills: metadata within the budget, descriptions shortened before any is left out', (t) => {
  const skill = readSkill(
    '---\nname: deploy\ndescription: "Ships it"\n---\nbody',
    'dir',
    '/workspace/.agents/skills/dir/SKILL.md',
  );
  t.strictSame(skill, {
    name: 'deploy',
    description: 'Ships it',
    path: '/workspace/.agents/skills/dir/SKILL.md',
  });
  t.match(readSkill('no front matter', 'dir', '/p'), { name: 'dir', description: '' });
  t.equal(skillBudget(undefined), 8000);
  t.equal(skillBudget(100_000), 2000);
  const many = Array.from({ length: 40 }, (_, index) => ({
    name: `s${index}`,
    description: 'd'.repeat(300),
    path: `/s${index}`,
  }));
  t.match(renderSkills(many, 8000), /^- s0: d{77}\.\.\. \(\/s0\)\n/);
  t.notMatch(renderSkills(many, 8000), /Warning/);
  t.match(renderSkills(many, 1000), /\nWarning: \d+ of 40 skills were left out/);
  fc.assert(
    fc.property(fc.nat(4000), (budget) => t.ok(renderSkills(many, budget).length <= budget)),
    { numRuns: 50 },
  );
  t.end();
});

t.test('the window: auto follows the model, a number needs a known and no lower limit', (t) => {
  t.strictSame(effectiveWindow('auto', undefined, 'm'), {
    tokens: undefined,
    chars: undefined,
    inputChars: undefined,
  });
  t.strictSame(effectiveWindow('auto', 100_000, 'm'), {
    tokens: 100_000,
    chars: 400_000,
    inputChars: 400_000 - 4096 * 4,
  });
  t.strictSame(effectiveWindow(8, 100, 'm'), { tokens: 8, chars: 32, inputChars: 24 });
  t.strictSame(effectiveWindow(1, 1, 'm'), { tokens: 1, chars: 4, inputChars: 0 });
  t.throws(() => effectiveWindow(101, 100, 'm'), { code: 'EINVAL', layer: 'window' });
  t.throws(() => effectiveWindow(1, undefined, 'm'), { code: 'EINVAL', message: /no known limit/ });
  t.end();
});

const stored = (role: 'user' | 'assistant', text: string): StoredMessage => ({
  id: 'm1',
  ts: '',
  role,
  run: parseRunId('R'),
  content: [{ type: 'text', text }],
});

t.test('history keeps its newest whole messages', (t) => {
  const newestFirst = [stored('assistant', 'c'), stored('user', 'b'), stored('assistant', 'a'.repeat(1000))];
  t.match(pastGroups(newestFirst, 200), [
    [{ role: 'user', content: 'b' }],
    [{ role: 'assistant', content: 'c' }],
  ]);
  t.equal(pastGroups(newestFirst, 5000).length, 3);
  t.end();
});

/** A system message of which nothing can leave. */
const fixed = (text: string) => ({ text, shrink: () => false });

const result = (id: string, content: string) =>
  ({
    type: 'tool_result',
    tool_call_id: parseCallId(id),
    name: parseObjectName('fs.read'),
    status: 'ok',
    content,
    arguments: { path: 'x' },
  }) as const;

t.test('a transcript drops the oldest first, a call with its result, and never what must stay', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(30_000), { maxLength: 6 }),
      fc.array(fc.nat(16_000), { maxLength: 8 }),
      (past, calls) => {
        const transcript = new Transcript(
          fixed('system'),
          past.map((size) => [{ role: 'user', content: 'p'.repeat(size) }]),
          'input',
          undefined,
        );
        for (const [index, size] of calls.entries())
          transcript.addCall('', result(`c${index}`, 'r'.repeat(size)));
        const text = transcript.render();
        t.ok(Buffer.byteLength(text) <= MAX_CONTEXT_BYTES);
        const messages = JSON.parse(text);
        t.match(messages[0], { role: 'system', content: 'system' });
        if (calls.length > 0) {
          t.match(messages.at(-1), {
            role: 'assistant',
            content: [{ type: 'tool_call', id: `c${calls.length - 1}` }],
          });
          t.ok(messages.some(({ content }: { content: unknown }) => content === 'input'));
        }
        const tools = messages.filter(({ role }: { role: string }) => role === 'tool').length;
        const made = messages.filter(({ role }: { role: string }) => role === 'assistant').length;
        t.equal(tools, Math.max(0, made - 1), 'every result but the observation stands after its call');
      },
    ),
    { numRuns: 60 },
  );
  t.end();
});

t.test('a transcript that cannot fit is EMSGSIZE and says by how much', (t) => {
  t.throws(() => new Transcript(fixed('s'.repeat(70_000)), [], 'x', undefined).render(), {
    code: 'EMSGSIZE',
    message: /by \d+ bytes$/,
  });
  t.throws(() => new Transcript(fixed('system'), [], 'x'.repeat(100), 100).render(), {
    code: 'EMSGSIZE',
    layer: 'window',
  });
  t.end();
});

const tool = (name: string, pinned: boolean) => ({
  name,
  description: `About ${name}.`,
  schema: '{"type":"object"}',
  pinned,
});
const skill = (name: string) => ({ name, description: `Does ${name}.`, path: `/s/${name}/SKILL.md` });

t.test('loaded tools are told with description and schema, and by themselves as tool context', (t) => {
  const prompt = new Prompt({
    ...PARTS,
    injected: [tool('fs.write', true), { ...tool('x', false), schema: '' }],
  });
  t.match(
    prompt.text,
    /Tools loaded in tsh .*:\n- fs\.write: About fs\.write\.\n {2}input: \{"type":"object"\}\n- x: About x\.\n/,
  );
  t.match(prompt.toolContext, /^Tools loaded in tsh[\s\S]*- x: About x\.$/);
  t.equal(new Prompt(PARTS).toolContext, '');
  t.end();
});

t.test('what a prompt can do without leaves in order: history, unpinned tools from the last, skills', (t) => {
  const history = [[{ role: 'user', content: 'old' }], [{ role: 'assistant', content: 'new' }]] as const;
  const parts = {
    ...PARTS,
    template: '{{history_messages}}|{{tool_injection}}|{{skills}}|{{rules}}|{{agent_instructions}}',
    history,
    injected: [tool('pinned', true), tool('kept', false), tool('first', false)],
    skills: [skill('one'), skill('two')],
  };
  const prompt = new Prompt(parts as unknown as ConstructorParameters<typeof Prompt>[0]);
  t.ok(prompt.holdsHistory);
  const seen: string[] = [];
  const names = [
    'user: old',
    'assistant: new',
    '- pinned',
    '- kept',
    '- first',
    '- one',
    '- two',
    'Rules.',
    'Be terse.',
    'Warning',
  ];
  do seen.push(names.filter((name) => prompt.text.includes(name)).join(' '));
  while (prompt.shrink());
  const all = names.slice(0, -1);
  const without = (...gone: string[]) => all.filter((name) => !gone.includes(name)).join(' ');
  t.strictSame(seen, [
    without(),
    without('user: old'),
    without('user: old', 'assistant: new'),
    without('user: old', 'assistant: new', '- first'),
    without('user: old', 'assistant: new', '- first', '- kept'),
    `${without('user: old', 'assistant: new', '- first', '- kept', '- one', '- two')} Warning`,
  ]);
  t.match(prompt.text, /Warning: 2 of 2 skills were left out/);
  t.notOk(new Prompt(PARTS).holdsHistory);
  t.end();
});

t.test('every template variable is filled, and only by its own value', (t) => {
  const variables: Record<string, string> = {
    agent: 'coder',
    current_time_unix: '1800000000',
    agent_instructions: 'Be terse.',
    rules: 'Rules.',
    skills: '- one: Does one. (/s/one/SKILL.md)',
    tool_injection: renderInjection([tool('x', true)]),
    history_messages: 'user: hi\nassistant: calls fs.read {"path":"x"}\ntool: fs.read ok: text',
    runtime_contract: runtimeContract(PARTS.tools),
  };
  const history = [
    [{ role: 'user', content: 'hi' }],
    callGroup('', result('c1', 'text')),
  ] as unknown as ConstructorParameters<typeof Prompt>[0]['history'];
  for (const [name, value] of Object.entries(variables)) {
    const text = renderPrompt({
      ...PARTS,
      skills: [skill('one')],
      injected: [tool('x', true)],
      history,
      template: `<{{${name}}}>`,
    });
    t.ok(text.startsWith(`<${value}>`), `${name}: ${text}`);
  }
  t.end();
});

t.test('a transcript takes from the system message only when no old message is left to leave', (t) => {
  const injected = Array.from({ length: 20 }, (_, index) => tool(`tool${index}`, index === 0));
  const skills = ['one', 'two', 'three', 'four'].map(skill);
  const build = (chars: number) => {
    const prompt = new Prompt({ ...PARTS, injected, skills });
    const past = [[{ role: 'user', content: 'p'.repeat(500) } as const]];
    return JSON.parse(new Transcript(prompt, past, 'input', chars).render()) as { content: string }[];
  };
  t.equal(build(10_000).length, 2, 'everything fits');
  const [system, ...rest] = build(1_300);
  t.strictSame(rest, [], 'the old message went first');
  t.match(system!.content, /tool0[\s\S]*tool1\b/);
  t.notMatch(system!.content, /tool19/);
  const smallest = new Prompt({ ...PARTS, injected, skills });
  while (smallest.shrink());
  const least = build(JSON.stringify(smallest.text).length + 100)[0]!.content;
  t.match(least, /Warning: 4 of 4 skills[\s\S]*tool0/);
  t.notMatch(least, /tool1\b/);
  for (const kept of ['Be terse.', 'Rules.', 'tool0']) t.ok(least.includes(kept), kept);
  t.throws(() => build(300), { code: 'EMSGSIZE', message: /alone are longer .*, by \d+ bytes/ });
  t.end();
});
