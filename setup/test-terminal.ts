// A real terminal for tests of programs that ask for one.
import { setTimeout as delay } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import type { Test } from 'tap';

/** A program on a terminal of its own, whose output is kept as it comes, with all control sequences. */
export class TestTerminal {
  screen = '';
  /** Its exit code. */
  readonly ended: Promise<number>;
  readonly #write: (text: string) => void;

  constructor(
    t: Test,
    [program, ...args]: readonly [string, ...string[]],
    place: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
  ) {
    const pty = spawn(program, args, { env: process.env, ...place, cols: 120, rows: 40 });
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

  /** Waits until it has written something; what a program wrote last may come after its end. */
  async shows(wanted: string): Promise<void> {
    for (const deadline = performance.now() + 60_000; !this.screen.includes(wanted); await delay(10))
      if (performance.now() > deadline)
        throw new Error(`no ${JSON.stringify(wanted)} in ${JSON.stringify(this.screen)}`);
  }
}
