import { writeSync } from 'node:fs';

const enter = '\x1b[?1049h\x1b[2J\x1b[H';
/** Undoes whatever the shown programs switched on: modes, colours, scroll region, cursor, mouse, keyboard protocols, alternate screen. */
const restore =
  '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?1l\x1b>\x1b[<u\x1b[r\x1b[0m\x1b[?25h\x1b[?7h\x1b[?1049l';
const signals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

/** The person's terminal, lent to the agent's: raw mode and the alternate screen, given back on every way out. */
export class Screen {
  #lent = false;

  readonly #giveBack = () => this.giveBack();
  readonly #end = (signal: NodeJS.Signals) => {
    this.giveBack();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };

  take(): void {
    this.#lent = true;
    process.on('exit', this.#giveBack);
    for (const signal of signals) process.on(signal, this.#end);
    process.stdin.setRawMode(true);
    process.stdout.write(enter);
  }

  giveBack(): void {
    if (!this.#lent) return;
    this.#lent = false;
    // Written at once: the process may be ending.
    writeSync(1, restore);
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.off('exit', this.#giveBack);
    for (const signal of signals) process.off(signal, this.#end);
  }
}
