import { type Builtin, Misuse } from './builtin.ts';

export const help: Builtin = {
  usage: '[NAME]',
  summary: 'this list, or how to use one builtin',
  async run({ out, json }, args) {
    if (args.length > 1) throw new Misuse('one name at most');
    const { BUILTINS, builtinOf } = await import('./table.ts');
    const [name] = args;
    if (name !== undefined && !builtinOf(name)) throw new Misuse(`${name} is no builtin`);
    const shown = Object.entries(BUILTINS).filter(([builtin]) => name === undefined || builtin === name);
    if (json)
      out(
        `${JSON.stringify(shown.map(([builtin, { usage, summary }]) => ({ name: builtin, usage, summary })))}\n`,
      );
    else
      for (const [builtin, { usage, summary }] of shown)
        out(`${`${builtin} ${usage}`.trimEnd().padEnd(28)} ${summary}\n`);
    if (name === undefined && !json)
      out('\nAnything else is the name of a tool: see "tools". Programs of the host are never run.\n');
    return 0;
  },
};
