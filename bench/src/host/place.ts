import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';

const ctx = new URL('../../../dist/bin/ctx', import.meta.url).pathname;

/** A deployment in a temporary directory with `coder` running, and echo servers in plain node beside it. */
export interface HostPlace {
  readonly socket: string;
  /** In this process. */
  readonly echo: string;
  /** Started as the host is: a process and session of its own. */
  readonly apart: string;
  close(): Promise<void>;
}

export async function startHost(): Promise<HostPlace> {
  const base = mkdtempSync('/tmp/cfs-bench-');
  const workspace = `${base}/workspace`;
  for (const name of ['workspace', 'run']) mkdirSync(`${base}/${name}`, { mode: 0o700 });
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: base,
    XDG_DATA_HOME: `${base}/data`,
    XDG_RUNTIME_DIR: `${base}/run`,
    XDG_CONFIG_HOME: `${base}/config`,
  };
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [ctx, ...args], {
      env,
      cwd: workspace,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const echo = createServer((client) => client.pipe(client));
  const apart = startEcho(`${base}/apart.sock`);
  const close = async () => {
    echo.close();
    apart.kill();
    for (const args of [['agent', 'stop', '--all'], ['umount']]) run(...args);
    rmSync(base, { recursive: true, force: true });
  };
  try {
    await new Promise<void>((resolve) => echo.listen(`${base}/echo.sock`, resolve));
    await once(apart.stdout!, 'data');
    for (const args of [
      ['bootstrap', '--quiet'],
      ['mount', '--quiet'],
      ['agent', 'start', 'coder'],
    ])
      run(...args);
    const socket = `${base}/run/cortexfs/agent/coder.sock`;
    return { socket, echo: `${base}/echo.sock`, apart: `${base}/apart.sock`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function startEcho(path: string): ChildProcess {
  const program = `require('node:net').createServer((client) => client.pipe(client))
    .listen(${JSON.stringify(path)}, () => console.log('listens'))`;
  return spawn(process.execPath, ['-e', program], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
}
