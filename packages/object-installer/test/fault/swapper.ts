import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

// RENAME_EXCHANGE: at no moment is one of the names missing. A name that ends with `*` stands for each that begins so.
const ATTACK = `
const { readdirSync } = require('node:fs');
const { dirname, basename, join } = require('node:path');
const exchange = require('koffi').load(null).func('int renameat2(int a, str from, int b, str to, unsigned int flags)');
const [place, inside, other] = process.argv.slice(1);
const targets = () => place.endsWith('*')
  ? readdirSync(dirname(place)).filter((name) => name.startsWith(basename(place).slice(0, -1))).map((name) => join(dirname(place), name, inside))
  : [place];
process.stdout.write('go\\n');
for (;;) for (const target of targets()) exchange(-100, target, -100, other, 2);
`;

/** A process outside exchanges `place` (with `inside` below it, where it ends with `*`) and `other` all the time while the work is done. */
export async function whileSwapped(place: string, inside: string, other: string, work: () => Promise<void>) {
  const child = spawn(process.execPath, ['-e', ATTACK, place, inside, other], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  try {
    await work();
  } finally {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
}
