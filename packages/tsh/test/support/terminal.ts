import { type ChildProcess, spawn } from 'node:child_process';
import type { Test } from 'tap';
import { TSH } from './run.ts';

/** tsh on a real terminal, made by script(1). */
export class TerminalSession {
  screen = '';
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(t: Test, args: readonly string[], env: NodeJS.ProcessEnv) {
    const command = [...TSH, ...args].map((word) => `'${word}'`).join(' ');
    this.#child = spawn('/usr/bin/script', ['-qefc', `exec ${command}`, '/dev/null'], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdout!.setEncoding('utf8').on('data', (text) => (this.screen += text));
    this.#child.stdin!.on('error', () => {});
    this.ended = new Promise((resolve) => this.#child.once('close', resolve));
    t.teardown(async () => {
      this.#child.kill('SIGKILL');
      await this.ended;
    });
  }

  type(text: string): void {
    this.#child.stdin!.write(text);
  }

  /** Waits until the text stands on the screen after what was already waited for. */
  async text(wanted: string): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const at = this.screen.indexOf(wanted);
      if (at !== -1) {
        this.screen = this.screen.slice(at + wanted.length);
        return;
      }
      if (Date.now() > deadline)
        throw new Error(`no ${JSON.stringify(wanted)} in ${JSON.stringify(this.screen)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
