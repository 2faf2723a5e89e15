import { spawn } from '@lydell/node-pty';
import type { Test } from 'tap';
import { until } from './until.ts';

/** A program on a terminal of its own, as bytes; `Screen` is what a person sees. */
export class Terminal {
  screen = '';
  readonly ended: Promise<number>;

  constructor(
    t: Test,
    [program, ...args]: [string, ...string[]],
    place: { env: NodeJS.ProcessEnv; cwd: string },
  ) {
    const pty = spawn(program, args, { ...place, cols: 120, rows: 40 });
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
    t.teardown(async () => {
      if (running) pty.kill('SIGKILL');
      await this.ended;
    });
  }

  /** Waits until it has written something. */
  async shows(wanted: string): Promise<void> {
    await until(`the terminal shows ${wanted}`, () => this.screen.includes(wanted));
  }
}
