import { type Builtin, Misuse } from './builtin.ts';

export const history: Builtin = {
  usage: '[-c]',
  summary: 'the lines entered so far; -c forgets them',
  run({ history, out, json }, args) {
    if (args.length === 1 && args[0] === '-c') {
      history.clear();
      return 0;
    }
    if (args.length > 0) throw new Misuse('-c or nothing');
    if (json) out(`${JSON.stringify(history.lines)}\n`);
    else out(history.lines.map((line, index) => `${String(index + 1).padStart(5)}  ${line}\n`).join(''));
    return 0;
  },
};
