import { readFileSync } from 'node:fs';
import type { ObjectName, SessionName } from '@cortexfs/abi/names';
import { agentControl } from '@cortexfs/abi/paths';

export interface ChatPlace {
  readonly root: string;
  readonly agent: ObjectName;
  readonly session: SessionName;
}

const help = `/session  the session      /tools   tools that may be called directly
/model    the model        /window  the context window
/cancel   the run that is active here, yours or somebody else's; also Ctrl-C
/exit     leave, also Ctrl-C, or Ctrl-D on an empty line
All work while a run is active, too; it goes on when you leave.
`;

/** What a line that is one `/word` prints, or what it does. Every other line goes to the agent as text. */
export function slashCommand(
  line: string,
  { root, agent, session }: ChatPlace,
): { readonly print: string } | 'cancel' | 'exit' | undefined {
  const control = (name: string) => read(`${root}/${agentControl(agent, name)}`);
  switch (line.trim()) {
    case '/help':
      return { print: help };
    case '/session':
      return { print: `${agent}/${session}\n` };
    case '/tools':
      return { print: `tsh\n${control('tools')}` };
    case '/model':
      return { print: control('model') };
    case '/window':
      return { print: control('window') || 'auto\n' };
    case '/cancel':
      return 'cancel';
    case '/exit':
      return 'exit';
    default:
      return unknown(line.trim());
  }
}

/** A path has a second slash or a capital, a dot, a digit; `/word` alone is a command that was mistyped. */
function unknown(line: string): { readonly print: string } | undefined {
  return /^\/[a-z]+$/.test(line) ? { print: `${line}: no such command; /help lists them\n` } : undefined;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
