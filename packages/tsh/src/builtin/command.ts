import { type Builtin, Misuse } from './builtin.ts';

export const command: Builtin = {
  usage: 'NAME [ARG…]',
  summary: 'runs a tool, also one that has the name of a builtin',
  run({ runTool }, args) {
    if (args.length === 0) throw new Misuse('a name');
    return runTool(args);
  },
};
