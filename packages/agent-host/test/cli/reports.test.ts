import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { parseObjectName } from '@cortexfs/abi/names';
import t from 'tap';
import { ProcessTree } from '../../src/cli/process-tree.ts';
import { agentTree, duration, type PsAgent } from '../../src/cli/ps.ts';
import { agentHost, makeRunnable } from '../launch/running.ts';

t.test('prompt, tools and env tell what a run would get, without anything running', async (t) => {
  const site = makeRunnable(t);
  site.write('store/agent/coder.d/system.md', 'Be terse.\n');
  site.write(
    'store/agent/coder.d/prompt.template.md',
    '{{agent}}|{{agent_instructions}}|{{rules}}|{{history_messages}}|\n',
  );
  site.write('workspace/AGENTS.md', 'Kindly.\n');
  site.write('store/agent/coder.d/env', 'LANGUAGE=de\n');
  const policy = ['mount:workspace read', 'tool:fs.read execute', 'tool:big execute', 'tool:broken execute'];
  site.write('store/agent/coder.d/policy', policy.map((rule) => `allow coder_t ${rule}\n`).join(''));
  for (const [name, subject] of [
    ['fs.read', 'coder_t'],
    ['big', 'coder_t'],
    ['hidden', 'coder_t'],
    ['broken', 'other_t'],
  ]) {
    site.write(`store/tool/${name}`, '#!/bin/true\n');
    chmodSync(join(site.store, `tool/${name}`), 0o755);
    site.write(`store/tool/${name}.d/policy`, `allow ${subject} tool:${name} execute\n`);
    site.write(`store/tool/${name}.d/description`, `The tool ${name}.\n`);
    site.write(`store/tool/${name}.d/schema`, '{"type":"object"}\n');
  }
  const workspace = ['--workspace', site.workspace];
  const [prompt, json, tools, toolsJson, env, envJson] = await Promise.all([
    agentHost(site, 'prompt', 'coder', ...workspace).outcome,
    agentHost(site, 'prompt', 'coder', '--json', ...workspace).outcome,
    agentHost(site, 'tools', 'coder').outcome,
    agentHost(site, 'tools', 'coder', '--json').outcome,
    agentHost(site, 'env', 'coder').outcome,
    agentHost(site, 'env', 'coder', '--json').outcome,
  ]);
  t.match(prompt, {
    code: 0,
    stdout:
      /^coder\|Be terse\.\|Rules from \/workspace\/AGENTS\.md:\n\nKindly\.\|\(history_messages: the conversation, only in a run\)\|\n\nYour only native callable tool is tsh\.\n/,
  });
  t.match(JSON.parse(json.stdout), { agent: 'coder', session: 'default', prompt: prompt.stdout });
  t.match(tools, { code: 0, stdout: 'big      tsh     The tool big.\nfs.read  direct  The tool fs.read.\n' });
  t.strictSame(JSON.parse(toolsJson.stdout), [
    { name: 'big', direct: false, description: 'The tool big.' },
    { name: 'fs.read', direct: true, description: 'The tool fs.read.' },
  ]);
  t.match(env.stdout, /^LANGUAGE=de\nCTX_ROOT=\/ctx\n[\s\S]*HOME=\/home\/agent\n/);
  t.match(JSON.parse(envJson.stdout), { CTX_AGENT: 'coder', CTX_AGENT_SUBJECT: 'coder_t', LANGUAGE: 'de' });
});

t.test('ps tells of agents that do not run as well', async (t) => {
  const site = makeRunnable(t);
  site.write('store/agent/broken.d/owner', 'nonsense\n');
  const [words, json, missing] = await Promise.all([
    agentHost(site, 'ps').outcome,
    agentHost(site, 'ps', 'coder', '--json').outcome,
    agentHost(site, 'ps', 'nobody').outcome,
  ]);
  t.match(words, { code: 0, stdout: 'broken  dead  model ?\ncoder  dead  model main\n' });
  t.strictSame(JSON.parse(json.stdout), [
    { agent: 'coder', status: 'dead', model: 'main', parent: null, instances: [] },
  ]);
  t.match(missing, { code: 1, stderr: /ENOENT/ });
});

const agent = (name: string, parent: string | null, instances: PsAgent['instances'] = []): PsAgent => ({
  agent: parseObjectName(name),
  status: 'idle',
  model: 'main',
  parent,
  instances,
});

t.test('the tree has children below their parents, and every agent once', (t) => {
  const one = { pid: 7, session: 'default' as never, uptime_s: 3725, memory: 1024 * 1024 + 1 };
  t.equal(
    agentTree([
      agent('a', 'root-that-is-gone'),
      agent('b', 'a', [
        { ...one, role: 'socket' },
        { ...one, role: 'terminal', pid: 8 },
      ]),
      agent('c', 'b'),
      agent('x', 'y'),
      agent('y', 'x'),
    ]),
    [
      'a  idle  model main',
      '  b  idle  model main',
      '  ├─ socket host  pid 7  session default  up 1h02m  2 MiB',
      '  └─ terminal of session "default"  pid 8  session default  up 1h02m  2 MiB',
      '    c  idle  model main',
      'x  idle  model main',
      'y  idle  model main',
      '',
    ].join('\n'),
  );
  t.equal(agentTree([]), 'there are no agents\n');
  for (const [seconds, text] of [
    [0, '0s'],
    [59, '59s'],
    [61, '1m01s'],
    [3600, '1h00m'],
    [90_000, '1d01h'],
  ] as const)
    t.equal(duration(seconds), text);
  t.ok(new ProcessTree().memoryOf(process.pid) > 1024 * 1024, 'a node has more than a mebibyte of its own');
  t.equal(new ProcessTree().memoryOf(2 ** 22 + 1), 0);
  t.end();
});
