import type { Builtin } from './builtin.ts';
import { command } from './command.ts';
import { load, loads, pin, pins, unload, unpin } from './context.ts';
import { exit } from './exit.ts';
import { find } from './find.ts';
import { help } from './help.ts';
import { history } from './history.ts';
import { tools } from './tools.ts';
import { type } from './type.ts';
import { which } from './which.ts';

/** All builtins, in the order in which `help` shows them. */
export const BUILTINS: Readonly<Record<string, Builtin>> = {
  help,
  tools,
  find,
  which,
  type,
  command,
  load,
  unload,
  loads,
  pin,
  unpin,
  pins,
  history,
  exit,
};

export function builtinOf(name: string): Builtin | undefined {
  return Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
}
