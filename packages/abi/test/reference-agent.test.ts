import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { decide } from '../src/authority.ts';
import { label } from '../src/controls/label.ts';
import { parent } from '../src/controls/parent.ts';
import { codecFor, controlEntry, controlNames } from '../src/controls/registry.ts';
import { tools } from '../src/controls/tools.ts';
import { parseObjectName } from '../src/names.ts';
import { parsePolicy } from '../src/policy.ts';
import { installedControls, REFERENCE_AGENTS } from '../src/reference-agent.ts';

const repository = join(import.meta.dirname, '../../..');
const alex = { uid: 1000, gid: 1001 };

for (const agent of REFERENCE_AGENTS) {
  const folder = join(repository, 'agents', agent);
  const read = (control: string) => readFileSync(join(folder, control), 'utf8');

  t.test(`${agent}: every file is a control in its canonical text`, async (t) => {
    for (const control of readdirSync(folder)) {
      const codec = codecFor('agent', control);
      t.ok(codec, `${control} is a control`);
      t.equal(codec?.format(codec.parse(read(control))), read(control), control);
    }
  });

  t.test(`${agent}: the folder and the installing user give every required control`, async (t) => {
    const installed = installedControls(parseObjectName(agent), alex);
    const required = controlNames('agent').filter((name) => controlEntry('agent', name)?.required);
    const present = [...readdirSync(folder), ...Object.keys(installed)];
    t.same(
      required.filter((name) => !present.includes(name)),
      [],
    );
    t.equal(new Set(present).size, present.length, 'no control comes from both');
    for (const [control, text] of Object.entries(installed)) {
      t.equal(codecFor('agent', control)?.format(codecFor('agent', control)?.parse(text)), text, control);
    }
  });

  t.test(`${agent}: the policy speaks of the agent's own subject alone`, async (t) => {
    const { rules } = parsePolicy(read('policy'));
    t.same([...new Set(rules.map((rule) => rule.subject))], [label.parse(read('label')).subject]);
  });

  t.test(`${agent}: declared tools and tsh pass both policies`, async (t) => {
    const ask = (tool: string) =>
      decide({
        agent: {
          name: agent,
          owner: 1000,
          uid: 1000,
          gid: 1001,
          groups: [],
          label: label.parse(read('label')),
          policy: parsePolicy(read('policy')),
        },
        caller: { uid: 1000, rootAllowed: false },
        class: 'tool',
        object: tool,
        permission: 'execute',
        file: { uid: 0, gid: 0, mode: 0o755 },
        mount: { visible: true, writable: false, noexec: false },
        objectPolicy: parsePolicy(readFileSync(join(repository, 'tools', tool, 'policy'), 'utf8')),
        direct: { declared: tools.parse(read('tools')), path: ['/ctx/tool'], directory: '/ctx/tool' },
      });
    for (const tool of [...tools.parse(read('tools')), 'tsh']) t.match(ask(tool), { allowed: true }, tool);
  });

  t.test(`${agent}: may write the workspace only when it is the coder`, async (t) => {
    const granted = parsePolicy(read('policy')).rules.filter((rule) => rule.class === 'mount');
    t.same(
      granted.map((rule) => `${rule.object} ${rule.permission}`),
      agent === 'coder' ? ['workspace read', 'workspace write'] : ['workspace read'],
    );
  });

  t.test(`${agent}: has no network`, async (t) => {
    t.notMatch(read('policy'), /network:/);
  });
}

t.test('architect begins the lineage, the others are its children', async (t) => {
  const parentOf = (agent: string) =>
    parent.parse(readFileSync(join(repository, 'agents', agent, 'parent'), 'utf8'));
  t.same(parentOf('architect'), { kind: 'root' });
  t.same(parentOf('coder'), { kind: 'agent', agent: 'architect' });
  t.same(parentOf('reviewer'), { kind: 'agent', agent: 'architect' });
});

t.test('what depends on the installing user', async (t) => {
  t.same(installedControls(parseObjectName('coder'), alex), {
    owner: '1000\n',
    uid: '1000\n',
    gid: '1001\n',
    root: '/ctx/home/1000/agent/coder/root\n',
  });
});
