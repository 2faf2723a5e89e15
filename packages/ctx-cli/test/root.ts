import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Test } from 'tap';
import { place } from './process.ts';

const uid = process.geteuid!();
const gid = process.getegid!();

/** A root as files alone, with one agent, two tools, two models and an alias; `ctx --root` works on it without a mount. */
export function plainRoot(t: Test) {
  const { folder, env } = place(t);
  const root = `${folder}/root`;
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(`${root}/${path}`), { recursive: true });
    writeFileSync(`${root}/${path}`, text);
    chmodSync(`${root}/${path}`, mode);
  };
  write('status', 'ready\n');
  for (const [control, text] of Object.entries({
    owner: `${uid}\n`,
    uid: `${uid}\n`,
    gid: `${gid}\n`,
    groups: '',
    label: 'user_u:agent_r:coder_t:s0\n',
    iso: 'shared\n',
    parent: 'root\n',
    life: 'owned\n',
    root: '/\n',
    cwd: '/workspace\n',
    env: '',
    path: '/ctx/tool\n',
    mount: '',
    model: 'main\n',
    tools: 'fs.read\n',
    abi: 'sdk-envelope-v1\n',
    window: 'auto\n',
    policy:
      'allow coder_t tool:fs.read execute\nallow coder_t tool:fs.list execute\nallow coder_t model:main use\nallow coder_t session:default read\n',
  }))
    write(`agent/coder.d/${control}`, text);
  write('agent/coder', metadata('agent', 'coder'), 0o755);
  for (const name of ['fs.read', 'fs.list', 'fs.write']) {
    write(
      `tool/${name}`,
      name === 'fs.read' ? '#!/bin/sh\necho "ran $*"; cat\nexit 3\n' : metadata('tool', name),
      0o755,
    );
    write(`tool/${name}.d/description`, `What ${name} does.\n`);
    write(`tool/${name}.d/schema`, '{"type":"object"}\n');
    write(`tool/${name}.d/cap`, '');
    write(`tool/${name}.d/status`, 'ready\n');
    write(`tool/${name}.d/policy`, name === 'fs.list' ? '' : `allow coder_t tool:${name} execute\n`);
  }
  for (const name of ['small', 'unknown']) {
    write(`model/debug/${name}`, metadata('model', `debug/${name}`), 0o755);
    write(`model/debug/${name}.d/limit`, name === 'small' ? '1000\n' : 'unknown\n');
  }
  symlinkSync('debug/small', `${root}/model/main`);
  symlinkSync('debug/gone', `${root}/model/dangling`);
  mkdirSync(`${root}/shared/notes`, { recursive: true });
  mkdirSync(`${root}/home/${uid}/tool`, { recursive: true });
  return { root, write, env };
}

const metadata = (objectClass: string, name: string) =>
  `#!/usr/bin/cortexfs-object-runner\n# cortexfs.object=${objectClass}\n# cortexfs.name=${name}\n`;
