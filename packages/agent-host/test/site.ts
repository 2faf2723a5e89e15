import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatLauncher } from '@cortexfs/abi/launcher';
import { type ObjectName, parseObjectName, parseSessionName } from '@cortexfs/abi/names';
import type { Test } from 'tap';
import type { Site } from '../src/launch/instance.ts';

export const CODER: ObjectName = parseObjectName('coder');
export const DEFAULT = parseSessionName('default');

/** A store with one agent, a runtime directory and a workspace, all new and gone after the test. */
export interface TestSite extends Site {
  base: string;
  workspace: string;
  write(path: string, text: string): void;
}

export const CONTROLS: Readonly<Record<string, string>> = {
  abi: 'sdk-envelope-v1\n',
  owner: `${process.getuid!()}\n`,
  uid: `${process.getuid!()}\n`,
  gid: `${process.getgid!()}\n`,
  groups: '',
  label: 'user_u:agent_r:coder_t:s0\n',
  iso: 'shared\n',
  parent: 'root\n',
  life: 'owned\n',
  root: '/ctx/home/0/agent/coder/root\n',
  cwd: '/workspace\n',
  env: '',
  path: '/ctx/tool\n',
  mount: '',
  model: 'main\n',
  tools: 'fs.read\n',
  window: 'auto\n',
  policy: 'allow coder_t mount:workspace read\nallow coder_t mount:workspace write\n',
};

/**
 * `root` is a plain directory with a view: what a mount would show. The launchers run node on the package folder
 * `packages/ctxterm`, whose program is a few lines that serve as a terminal here.
 */
export function makeSite(t: Test, controls: Readonly<Record<string, string>> = {}): TestSite {
  const base = mkdtempSync('/tmp/cxi-');
  chmodSync(base, 0o755);
  t.teardown(() => rmSync(base, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  };
  for (const [name, text] of Object.entries({ ...CONTROLS, ...controls }))
    write(`store/agent/coder.d/${name}`, text);
  write(
    'packages/ctxterm/package.json',
    '{"type":"module","dependencies":{"koffi":"1.0.0","native":"1.0.0"}}',
  );
  write('packages/ctxterm/dist/ctxterm.js', TERMINAL);
  write('native/package.json', '{"type":"module","exports":"./index.js"}');
  write('native/index.js', 'export const name = "native";');
  mkdirSync(join(base, 'packages/ctxterm/node_modules'));
  linkNative(base);
  const launcher = formatLauncher({
    node: process.execPath,
    script: join(base, 'packages/ctxterm/dist/ctxterm.js'),
  });
  for (const name of ['ctxterm', 'cortexfs-object-runner']) {
    write(`store/bin/${name}`, launcher);
    chmodSync(join(base, 'store/bin', name), 0o755);
    write(`root/.view/coder/bin/${name}`, launcher);
    chmodSync(join(base, 'root/.view/coder/bin', name), 0o755);
  }
  write('root/.view/coder/status', 'ready\n');
  write('root/status', 'ready\n');
  // What a mount would project: the store's own entries.
  mkdirSync(join(base, 'store/home'));
  for (const name of ['agent', 'home']) symlinkSync(join(base, 'store', name), join(base, 'root', name));
  write('workspace/README.md', 'hello\n');
  mkdirSync(join(base, 'runtime'), { mode: 0o700 });
  return {
    base,
    root: join(base, 'root'),
    store: join(base, 'store'),
    runtime: join(base, 'runtime'),
    workspace: join(base, 'workspace'),
    write,
  };
}

/** The real add-on, in the real layout of this workspace. */
const KOFFI = realpathSync(fileURLToPath(new URL('../node_modules/koffi', import.meta.url)));

function linkNative(base: string): void {
  symlinkSync('../../../native', join(base, 'packages/ctxterm/node_modules/native'));
  symlinkSync(KOFFI, join(base, 'packages/ctxterm/node_modules/koffi'));
}

/** Listens where it is told, reports what it sees to everyone who connects, and ends on SIGTERM. */
const TERMINAL = `
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { name } from 'native';
const option = (flag) => process.argv[process.argv.indexOf(flag) + 1];
const socket = option('--listen');
if (existsSync(socket)) rmSync(socket);
writeFileSync(option('--meta') + '/state', 'running\\n');
createServer((client) => {
  client.on('error', () => {});
  client.end(JSON.stringify({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), native: name, fds: readdirSync('/proc/self/fd').length }) + '\\n');
}).listen(socket);
`;
