import type { CommandSpec } from './command.ts';
import { commands } from './table.ts';

const exitCodes = `Exit codes: 0 success, 1 failure, 2 bad arguments or input, 13 permission refused,
69 service unavailable, 70 internal error, 130 interrupted.`;

/** `ctx --help`: every command with its summary. */
export function overview(): string {
  return `Usage: ctx [COMMAND] [ARGUMENTS]

Without a command: a short status.

${listing(commands)}

Every command: --root DIR, --json, --no-color, --help.
${exitCodes}
`;
}

/** `ctx GROUP --help`: the commands that begin with this word. */
export function groupOverview(group: string): string {
  return `Usage: ctx ${group} COMMAND [ARGUMENTS]

${listing(commands.filter(({ words }) => words.startsWith(`${group} `)))}

Each has its own --help.
${exitCodes}
`;
}

function listing(specs: readonly CommandSpec[]): string {
  const width = Math.max(...specs.map(({ words }) => words.length));
  return specs.map(({ words, summary }) => `  ${words.padEnd(width)}  ${summary}`).join('\n');
}

/** `ctx COMMAND --help`. */
export function usageOf(spec: CommandSpec): string {
  const help = Object.entries(spec.optionHelp ?? {}).map(([name, line]) => `  --${name.padEnd(18)} ${line}`);
  const options = help.length > 0 ? `\n${help.join('\n')}\n` : '';
  return `Usage: ctx ${spec.words} ${spec.usage}`
    .trimEnd()
    .concat(`\n\n${spec.summary}\n${options}\n${exitCodes}\n`);
}
