import { NotFound } from '../shell.ts';
import { type Builtin, Misuse } from './builtin.ts';

export const which: Builtin = {
  usage: 'NAME…',
  summary: 'the file that a name runs',
  run({ shell, out, err, json }, args) {
    if (args.length === 0) throw new Misuse('at least one name');
    const found: { name: string; path: string }[] = [];
    for (const name of args) {
      try {
        found.push({ name, path: shell.find(name).file });
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
        err(`tsh: which: ${name}: not found\n`);
      }
    }
    out(json ? `${JSON.stringify(found)}\n` : found.map(({ path }) => `${path}\n`).join(''));
    return found.length === args.length ? 0 : 1;
  },
};
