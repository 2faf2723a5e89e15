import { oneLine } from '@cortexfs/abi/terminal-text';
import { describeTool, type ToolDescription } from '../tool/describe.ts';
import { type Builtin, Misuse } from './builtin.ts';

export const tools: Builtin = {
  usage: '[-l] [GROUP]',
  summary: 'the tools that may be run; -l with descriptions, GROUP as fs for fs.*',
  run({ shell, out, json }, args) {
    const long = args.includes('-l');
    const groups = args.filter((arg) => arg !== '-l');
    if (groups.length > 1 || groups.some((group) => group.startsWith('-')))
      throw new Misuse('at most one group');
    const [group] = groups;
    const found = shell
      .tools()
      .filter(({ name }) => group === undefined || name === group || name.startsWith(`${group}.`));
    if (json) out(`${JSON.stringify(found.map(describeTool))}\n`);
    else if (long) out(listing(found.map(describeTool)));
    else out(found.map(({ name }) => `${name}\n`).join(''));
    return 0;
  },
};

/** Names and descriptions in two columns. */
export function listing(found: readonly ToolDescription[]): string {
  const width = Math.max(0, ...found.map(({ name }) => name.length));
  return found
    .map(({ name, description }) => `${`${name.padEnd(width)}  ${oneLine(description)}`.trimEnd()}\n`)
    .join('');
}
