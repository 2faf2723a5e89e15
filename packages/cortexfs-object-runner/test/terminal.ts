import { setTimeout as delay } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import type { Test } from 'tap';

/** A program on a terminal of its own. */
export class Terminal {
  screen = '';
  readonly ended: Promise<number>;
  readonly #write: (text: string) => void;

  constructor(t: Test, program: string) {
    const pty = spawn(program, [], { env: process.env, cols: 80, rows: 24 });
    pty.onData((text) => {
      this.screen += text;
    });
    let running = true;
    this.ended = new Promise((resolve) =>
      pty.onExit(({ exitCode }) => {
        running = false;
        resolve(exitCode);
      }),
    );
    this.#write = (text) => pty.write(text);
    t.teardown(async () => {
      if (running) pty.kill('SIGKILL');
      await this.ended;
    });
  }

  type(text: string): void {
    this.#write(text);
  }

  /** Waits until the screen shows something; what a program wrote last may come after its end. */
  async shows(wanted: string): Promise<void> {
    for (const deadline = Date.now() + 60_000; !this.screen.includes(wanted); await delay(10))
      if (Date.now() > deadline)
        throw new Error(`no ${JSON.stringify(wanted)} in ${JSON.stringify(this.screen)}`);
  }
}
