// node kill-driver.mjs run FOLDER COMMAND: runs the command in a site that was prepared there.
// node kill-driver.mjs freeze [FOLDER COMMAND STEP]…: brings each to its step, then kills itself in the middle of them all.
import type { Changing } from '../../src/step/lists.ts';
import { reopened } from '../support/store.ts';
import { freeze } from './frozen.ts';
import { SCENES } from './scenes.ts';

const [mode, ...words] = process.argv.slice(2);
if (mode === 'run') {
  const [folder = '', command = ''] = words;
  process.stdout.write('go\n');
  await SCENES[command as Changing].run(reopened(folder));
} else {
  for (let index = 0; index < words.length; index += 3) {
    const [folder = '', command = '', step] = words.slice(index, index + 3);
    await freeze(command as Changing, step, reopened(folder));
  }
  process.kill(process.pid, 'SIGKILL');
}
