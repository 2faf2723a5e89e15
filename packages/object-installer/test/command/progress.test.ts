import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { Progress } from '../../src/command/progress.ts';

class Terminal {
  readonly isTTY: boolean;
  text = '';
  constructor(isTTY = true) {
    this.isTTY = isTTY;
  }
  write(text: string): boolean {
    this.text += text;
    return true;
  }
}

const MEGABYTE = 1024 * 1024;

t.test('one line on a terminal, taken away at the end', async (t) => {
  const terminal = new Terminal();
  const progress = new Progress(terminal as unknown as NodeJS.WriteStream);
  progress.at('copying', MEGABYTE, 4 * MEGABYTE);
  t.equal(terminal.text, '', 'short work shows nothing');
  await sleep(450);
  progress.at('copying', 2 * MEGABYTE, 4 * MEGABYTE);
  progress.at('copying', 3 * MEGABYTE, 4 * MEGABYTE);
  t.equal(terminal.text, '\r\x1b[Kcopying 50% (2 of 4 MiB)', 'not more often than one can read');
  progress.end();
  t.equal(terminal.text, '\r\x1b[Kcopying 50% (2 of 4 MiB)\r\x1b[K');
});

t.test('nothing where nobody looks', async (t) => {
  const file = new Terminal(false);
  const progress = new Progress(file as unknown as NodeJS.WriteStream);
  await sleep(450);
  progress.at('copying', 1, 2);
  progress.end();
  t.equal(file.text, '');
});
