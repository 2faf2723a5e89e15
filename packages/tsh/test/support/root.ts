import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';

export interface TestRoot {
  root: string;
  /** A HOME for the shell. */
  home: string;
  write(path: string, text: string, mode?: number): void;
  /** A tool that is a shell script, with controls; its policy allows coder_t unless told otherwise. */
  tool(name: string, script: string, controls?: Record<string, string>): void;
  agent(name: string, controls?: Record<string, string>): void;
  /** The environment of the agent's terminal. */
  agentEnv(name: string, more?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
}

/** A CortexFS root in plain files, gone after the test. */
export function testRoot(t: Test): TestRoot {
  const top = mkdtempSync(join(tmpdir(), 'tsh-'));
  t.teardown(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, 'ctx');
  const home = join(top, 'home');
  mkdirSync(home, { recursive: true });
  const write = (path: string, text: string, mode = 0o644) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
  };
  write('status', 'ready\n');
  mkdirSync(join(root, 'tool'), { recursive: true });
  const uid = process.geteuid!();
  return {
    root,
    home,
    write,
    tool(name, script, controls = {}) {
      write(`tool/${name}`, `#!/bin/sh\n${script}\n`, 0o755);
      const all = {
        description: `About ${name}.\n`,
        policy: `allow coder_t tool:${name} execute\n`,
        ...controls,
      };
      for (const [control, text] of Object.entries(all)) write(`tool/${name}.d/${control}`, text);
    },
    agent(name, controls = {}) {
      const all = {
        owner: `${uid}\n`,
        uid: `${uid}\n`,
        gid: `${process.getegid!()}\n`,
        label: 'user_u:agent_r:coder_t:s0\n',
        path: `${root}/tool\n`,
        policy: '',
        ...controls,
      };
      for (const [control, text] of Object.entries(all)) write(`agent/${name}.d/${control}`, text);
    },
    agentEnv: (name, more = {}) => ({
      CTX_ROOT: root,
      CTX_AGENT: name,
      CTX_PATH: `${root}/tool`,
      HOME: home,
      PATH: '/usr/bin:/bin',
      ...more,
    }),
  };
}
