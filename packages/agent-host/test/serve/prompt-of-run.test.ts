import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseInvocation } from '@cortexfs/abi/invocation';
import { EMPTY_TOOL_CONTEXT, formatToolContext } from '@cortexfs/abi/session/tool-context';
import t from 'tap';
import { TestHost } from './host.ts';

t.test('the prompt of a run is made of what is there when it begins', async (t) => {
  const host = await TestHost.start(t);
  const { site } = host;
  const client = await host.client();
  t.teardown(() => client.close());
  const home = `store/home/${process.getuid!()}/agent/coder`;
  let count = 0;
  const envelope = async () => {
    const id = `p${count++}`;
    const frames = await client.send({ op: 'send', id, session: 'default', input: 'envelope' }).run(id);
    t.match(frames.at(-1), { status: 'ok' });
    const message = frames.find(({ type }) => type === 'message') as unknown as {
      content: { text: string }[];
    };
    const invocation = parseInvocation(Buffer.from(`${Buffer.from(message.content[0]!.text, 'base64')}\n`));
    return { ...invocation, system: String(JSON.parse(invocation.history_messages)[0].content) };
  };

  await t.test(
    "rules: the owner's, then the project's; and they are the snapshot of the session",
    async (t) => {
      site.write('config/cortexfs/AGENTS.md', 'Mine everywhere.\n');
      site.write('workspace/AGENTS.md', 'Of the project.\n');
      const { system } = await envelope();
      t.match(
        system,
        /Rules from global\/AGENTS\.md:\n\nMine everywhere\.\n\nRules from \/workspace\/AGENTS\.md:\n\nOf the project\./,
      );
      t.equal(
        host.file('AGENTS.md'),
        'Rules from global/AGENTS.md:\n\nMine everywhere.\n\nRules from /workspace/AGENTS.md:\n\nOf the project.\n',
      );
    },
  );

  await t.test('prompt controls are read again for each run', async (t) => {
    for (const text of ['Be one.', 'Be two.']) {
      site.write('store/agent/coder.d/system.md', `${text}\n`);
      site.write('store/agent/coder.d/prompt.template.md', `[${text}] {{agent}} {{agent_instructions}}\n`);
      t.ok((await envelope()).system.startsWith(`[${text}] coder ${text}`));
    }
    rmSync(join(site.store, 'agent/coder.d/prompt.template.md'));
    t.match((await envelope()).system, /^You are coder, an agent on CortexFS\./);
  });

  await t.test('skills: name, description and path, never the file; and their snapshot', async (t) => {
    site.write(
      'workspace/.agents/skills/ship/SKILL.md',
      '---\nname: ship\ndescription: Ships it\n---\nSECRET BODY\n',
    );
    site.write(`${home}/skills/own/SKILL.md`, '---\ndescription: Mine\n---\n');
    const { system } = await envelope();
    const lines =
      '- ship: Ships it (/workspace/.agents/skills/ship/SKILL.md)\n- own: Mine (/home/agent/skills/own/SKILL.md)';
    t.ok(system.includes(lines), system);
    t.notMatch(system, /SECRET BODY/);
    t.equal(host.file('SKILLS.md'), `${lines}\n`);
  });

  await t.test('tools that the session loaded in tsh, as far as the agent may run them', async (t) => {
    const load = (pinned: string[], window: string[], session = 'default') =>
      site.write(
        `${home}/.tsh/context/${session}.json`,
        formatToolContext({ ...EMPTY_TOOL_CONTEXT, pinned, window }),
      );
    load(
      ['big'],
      ['fs.read', 'hidden', 'missing', '../x'].filter((name) => name !== '../x'),
    );
    const { system, tool_context } = await envelope();
    const injection = [
      'Tools loaded in tsh (run them as: tsh NAME INPUT):',
      '- big: The tool big.',
      '  input: {"type":"object"}',
      '- fs.read: The tool fs.read.',
      '  input: {"type":"object"}',
    ].join('\n');
    t.ok(system.includes(injection), system);
    t.equal(tool_context, injection);
    t.notMatch(tool_context, /hidden|missing/, 'loading grants nothing');
    for (const text of ['not json', '{"pinned":["../../etc"]}', '']) {
      site.write(`${home}/.tsh/context/default.json`, text);
      t.equal((await envelope()).tool_context, '', JSON.stringify(text));
    }
    load(['big'], [], 'other');
    t.equal((await envelope()).tool_context, '', "another session's tools are not this one's");
  });

  await t.test('the context pack of the session is what the model got first', async (t) => {
    const { history_messages, tool_context } = await envelope();
    t.strictSame(JSON.parse(host.file('context/pack.json')), {
      messages: JSON.parse(history_messages),
      tool_context,
    });
  });

  await t.test('a template that asks for the history gets it, and it is not sent twice', async (t) => {
    site.write('store/agent/coder.d/prompt.template.md', 'So far:\n{{history_messages}}\n');
    const { system, history_messages } = await envelope();
    t.match(system, /^So far:\n[\s\S]*user: envelope\nassistant: /);
    t.equal(JSON.parse(history_messages).length, 1);
    rmSync(join(site.store, 'agent/coder.d/prompt.template.md'));
  });

  await t.test('a snapshot that cannot be written fails no run', async (t) => {
    const folder = join(site.store, `home/${process.getuid!()}/agent/coder/session/default`);
    for (const name of ['AGENTS.md', 'SKILLS.md']) {
      rmSync(join(folder, name));
      mkdirSync(join(folder, name, 'in the way'), { recursive: true });
    }
    rmSync(join(folder, 'context/pack.json'));
    mkdirSync(join(folder, 'context/pack.json/in the way'), { recursive: true });
    t.match((await envelope()).system, /Of the project/);
    t.match(host.stderr, /cannot write the session's agents snapshot/);
    t.match(host.stderr, /cannot write the session's skills snapshot/);
    t.match(host.stderr, /cannot write the session's context pack/);
  });

  await t.test('an agent whose policy shows it no workspace is told nothing of it', async (t) => {
    const policy = readFileSync(join(site.store, 'agent/coder.d/policy'), 'utf8');
    site.write('store/agent/coder.d/policy', policy.replace(/.*mount:workspace.*\n/g, ''));
    const { system } = await envelope();
    t.match(system, /Mine everywhere/);
    t.notMatch(system, /Of the project|ship/);
  });
});
