import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import { HOST_FLAGS } from '../../src/launch/start-role.ts';
import { removeStale } from '../../src/sandbox/cgroups.ts';
import { makeSite, type TestSite } from '../site.ts';
import { Client } from './client.ts';

const here = import.meta.dirname;
const TOOLS = [
  'fs.read',
  'big',
  'slow',
  'broken',
  'failing',
  'crashing',
  'forking',
  'while-asked',
  'tsh',
  'hidden',
];
/** The sessions in which the agent of a test may work. */
const SESSIONS = [
  ...'default one two three four five six seven eight resumed live nobody stubborn slow same queue left'.split(
    ' ',
  ),
  ...'cut other good deaf x cancel ahead small big a b c d f0 f1 f2 f3 beside'.split(' '),
  ...Array.from({ length: 40 }, (_, index) => [`s${index}`, `ask${index}`]).flat(),
];

/** Policy lines that let the agent of a test work in a session. */
export const sessionRules = (session: string): string[] =>
  ['read', 'write', 'resume'].map((permission) => `session:${session} ${permission}`);

const POLICY = [
  'mount:workspace read',
  'mount:workspace write',
  'model:main use',
  ...[
    'fs.read',
    'big',
    'slow',
    'broken',
    'failing',
    'crashing',
    'forking',
    'while-asked',
    'tsh',
    'undeclared',
    'missing',
  ].map((tool) => `tool:${tool} execute`),
  ...SESSIONS.flatMap(sessionRules),
];

/** One agent host as a process of its own, on a store of its own, with agents and tools in the real sandbox. */
export class TestHost {
  readonly site: TestSite;
  process: ChildProcess | undefined;
  stderr = '';
  /** Put before the host's command line: it execs what follows, so that the process stays the same. */
  around: readonly string[] = ['/usr/bin/env'];

  private constructor(site: TestSite) {
    this.site = site;
  }

  static async start(
    t: Test,
    controls: Readonly<Record<string, string>> = {},
    prepare?: (host: TestHost) => void,
  ): Promise<TestHost> {
    const site = makeSite(t, {
      policy: POLICY.map((rule) => `allow coder_t ${rule}\n`).join(''),
      tools: 'fs.read\nbig\nslow\nbroken\nfailing\ncrashing\nforking\nwhile-asked\nhidden\nmissing\n',
      env: 'step_timeout_s=2\n',
      ...controls,
    });
    const host = new TestHost(site);
    t.teardown(async () => {
      await host.end('SIGKILL');
      removeStale();
    });
    host.install('agent/coder', join(here, 'fixtures/agent.sh'));
    for (const tool of TOOLS) {
      host.install(`tool/${tool}`, join(here, 'fixtures/tool.sh'));
      const allowed = tool === 'hidden' ? 'other_t' : 'coder_t';
      site.write(`store/tool/${tool}.d/policy`, `allow ${allowed} tool:${tool} execute\n`);
      site.write(`store/tool/${tool}.d/description`, `The tool ${tool}.\n`);
      site.write(`store/tool/${tool}.d/schema`, '{"type":"object"}\n');
    }
    prepare?.(host);
    await host.launch();
    return host;
  }

  /** Puts an executable into the store and into the agent's view. */
  install(path: string, source: string): void {
    for (const place of ['store', 'root/.view/coder']) {
      const target = join(this.site.base, place, path);
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(source, target);
      chmodSync(target, 0o755);
    }
  }

  installText(path: string, text: string): void {
    const source = join(this.site.base, 'source');
    writeFileSync(source, text);
    this.install(path, source);
  }

  async launch(): Promise<void> {
    this.#spawn();
    const { process } = this;
    for (let looks = 0; this.status() !== 'ready'; looks++) {
      if (looks > 6000 || process!.exitCode !== null)
        throw new Error(`the host did not start: ${this.stderr}`);
      await delay(10);
    }
  }

  /** A host that does not live to see its own start. */
  async launchAndKill(milliseconds: number): Promise<void> {
    this.#spawn();
    await delay(milliseconds);
    await this.end('SIGKILL');
  }

  #spawn(): void {
    const { root, store, runtime, workspace, base } = this.site;
    const main = join(here, '../../dist/agent-host.js');
    const options = ['--root', root, '--source', store, '--runtime', runtime, '--workspace', workspace];
    const environment = ['PATH=/usr/bin:/bin', `HOME=${base}`, `XDG_CONFIG_HOME=${join(base, 'config')}`];
    // Through `env -i`: the test runner adds variables to every node that a test starts.
    const node = [process.execPath, ...HOST_FLAGS, main, 'serve', 'coder', ...options];
    const [first, ...rest] = this.around;
    this.process = spawn(first!, [...rest, '-i', ...environment, ...node], {
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    this.process.stderr!.on('data', (chunk) => {
      this.stderr += chunk;
    });
  }

  get socket(): string {
    return join(this.site.runtime, 'agent/coder.sock');
  }

  client(): Promise<Client> {
    return Client.open(this.socket);
  }

  status(): string | undefined {
    try {
      return readFileSync(join(this.site.runtime, 'launch/coder/status'), 'utf8').trim();
    } catch {
      return undefined;
    }
  }

  /** The directory of a session. */
  folder(session = 'default'): string {
    return join(this.site.store, `home/${process.getuid!()}/agent/coder/session/${session}`);
  }

  /** A file of a session, whole. */
  file(name: string, session = 'default'): string {
    return readFileSync(join(this.folder(session), name), 'utf8');
  }

  records(name: 'events.jsonl' | 'messages.jsonl', session = 'default'): Record<string, unknown>[] {
    return this.file(name, session)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { process } = this;
    if (process === undefined || process.exitCode !== null || process.signalCode !== null)
      return process?.exitCode ?? null;
    const exited = new Promise<number | null>((resolve) => process.once('exit', resolve));
    process.kill(signal);
    const code = await exited;
    if (signal === 'SIGKILL') this.site.write('runtime/launch/coder/status', 'dead\n');
    return code;
  }
}
