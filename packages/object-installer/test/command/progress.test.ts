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
  let now = 5000;
  const progress = new Progress(terminal as unknown as NodeJS.WriteStream, () => now);
  progress.at('copying', MEGABYTE, 4 * MEGABYTE);
  now += 399;
  progress.at('copying', MEGABYTE, 4 * MEGABYTE);
  t.equal(terminal.text, '', 'short work shows nothing');
  now += 51;
  progress.at('copying', 2 * MEGABYTE, 4 * MEGABYTE);
  now += 99;
  progress.at('copying', 3 * MEGABYTE, 4 * MEGABYTE);
  t.equal(terminal.text, '\r\x1b[Kcopying 50% (2 of 4 MiB)', 'not more often than one can read');
  now += 1;
  progress.at('copying', 4 * MEGABYTE, 4 * MEGABYTE);
  progress.end();
  t.equal(terminal.text, '\r\x1b[Kcopying 50% (2 of 4 MiB)\r\x1b[Kcopying 100% (4 of 4 MiB)\r\x1b[K');
});

t.test('nothing where nobody looks', async (t) => {
  const file = new Terminal(false);
  let now = 0;
  const progress = new Progress(file as unknown as NodeJS.WriteStream, () => now);
  now = 450;
  progress.at('copying', 1, 2);
  progress.end();
  t.equal(file.text, '');
});
