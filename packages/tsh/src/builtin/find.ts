import { describeTool } from '../tool/describe.ts';
import { ranked } from '../tool/rank.ts';
import { type Builtin, Misuse } from './builtin.ts';
import { listing } from './tools.ts';

export const find: Builtin = {
  usage: 'TERM…',
  summary: 'tools that fit all terms by name, description or schema, best first',
  run({ shell, out, json }, args) {
    if (args.length === 0) throw new Misuse('at least one term');
    const found = ranked(shell.tools().map(describeTool), args);
    out(json ? `${JSON.stringify(found)}\n` : listing(found));
    return found.length > 0 ? 0 : 1;
  },
};
