import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const agentName = (index: number) => `a${String(index).padStart(4, '0')}`;

/** Defines agents in a store, as many controls each as a usual one has. */
export function defineAgents(store: string, from: number, to: number): void {
  for (let index = from; index < to; index++) {
    const name = agentName(index);
    const controls = join(store, `agent/${name}.d`);
    mkdirSync(controls, { recursive: true });
    writeFileSync(
      join(store, 'agent', name),
      `#!/bin/true\n# cortexfs.object=agent\n# cortexfs.name=${name}\n`,
      { mode: 0o755 },
    );
    for (const [control, value] of Object.entries(valuesOf(name)))
      writeFileSync(join(controls, control), value);
  }
}

/** The names in such a directory. */
export const controlNames = Object.keys(valuesOf('x'));

function valuesOf(name: string): Record<string, string> {
  const [uid, gid] = [process.geteuid!(), process.getegid!()];
  return {
    abi: 'sdk-envelope-v1\n',
    cwd: '/workspace\n',
    env: '',
    gid: `${gid}\n`,
    groups: '',
    iso: 'shared\n',
    label: `user_u:agent_r:${name}_t:s0\n`,
    life: 'owned\n',
    model: 'main\n',
    mount: '',
    owner: `${uid}\n`,
    parent: 'agent:architect\n',
    path: '/ctx/tool\n',
    policy: `allow ${name}_t tool:fs.read execute\n`,
    root: '/\n',
    'system.md': `You are ${name}.\n`,
    tools: 'fs.read\n',
    uid: `${uid}\n`,
    window: 'auto\n',
  };
}
