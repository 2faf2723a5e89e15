import { type Builtin, Leave, Misuse } from './builtin.ts';

export const exit: Builtin = {
  usage: '[CODE]',
  summary: 'ends the shell, with the exit code of the last command unless CODE is given',
  run(_context, args) {
    const [code] = args;
    if (args.length > 1 || (code !== undefined && !/^(?:\d{1,2}|1\d\d|2[0-4]\d|25[0-5])$/.test(code)))
      throw new Misuse('a code from 0 to 255');
    throw new Leave(code === undefined ? undefined : Number(code));
  },
};
