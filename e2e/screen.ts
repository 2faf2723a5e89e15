import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { checkout, type Place, run } from './place.ts';
import { until } from './until.ts';

/** A terminal of 100 by 30 in which a person types: a shell with prompt `$ ` in a tmux server of its own, in the place's workspace. */
export class Screen {
  readonly #socket: string;
  readonly #place: Place;

  private constructor(place: Place) {
    this.#place = place;
    this.#socket = `${place.folder}/tmux-${randomBytes(3).toString('hex')}`;
  }

  static async open(t: Test, place: Place): Promise<Screen> {
    const screen = new Screen(place);
    t.teardown(() => screen.#tmux(['kill-server']));
    await screen.#tmux([
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      '100',
      '-y',
      '30',
      '/bin/bash --norc --noprofile -i',
    ]);
    await screen.type(
      `PS1='$ '; ctx() { ${process.execPath} ${checkout}/dist/bin/ctx "$@"; }; clear`,
      'Enter',
    );
    await screen.shows(/^\$$/);
    return screen;
  }

  /** Types text as it is, then presses keys by tmux's names. */
  async type(text: string, ...keys: string[]): Promise<void> {
    if (text !== '') await this.#tmux(['send-keys', '-l', '--', text]);
    if (keys.length > 0) await this.#tmux(['send-keys', ...keys]);
  }

  async paste(text: string): Promise<void> {
    await this.#tmux(['load-buffer', '-'], text);
    await this.#tmux(['paste-buffer', '-p', '-r']);
  }

  /** What the person sees: lines without trailing blanks. */
  async text(): Promise<string> {
    return (await this.#tmux(['capture-pane', '-p'])).replace(/\n+$/, '');
  }

  /** Waits until the screen shows something, and gives the whole of it. */
  async shows(what: RegExp, patience = 60_000): Promise<string> {
    let last = '';
    const look = async () => {
      last = await this.text();
      return what.test(last);
    };
    try {
      await until(String(what), look, patience);
      return last;
    } catch (error) {
      throw new Error(`${(error as Error).message}; the screen shows:\n${last}`);
    }
  }

  async #tmux(args: readonly string[], input = ''): Promise<string> {
    const env = { ...this.#place.env, LANG: 'C.UTF-8', TERM: 'xterm-256color' };
    const { out } = await run('/usr/bin/tmux', ['-u', '-S', this.#socket, ...args], {
      env,
      cwd: this.#place.workspace,
      input,
    });
    return out;
  }
}
