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
/cancel   Ctrl-C while a run is active
/exit     leave, also Ctrl-C, or Ctrl-D on an empty line
`;

/** What a line that is one `/word` prints, or 'exit'. Every other line goes to the agent as text. */
export function slashCommand(line: string, { root, agent, session }: ChatPlace): string | 'exit' | undefined {
  const control = (name: string) => read(`${root}/${agentControl(agent, name)}`);
  switch (line.trim()) {
    case '/help':
      return help;
    case '/session':
      return `${agent}/${session}\n`;
    case '/tools':
      return `tsh\n${control('tools')}`;
    case '/model':
      return control('model');
    case '/window':
      return control('window') || 'auto\n';
    case '/cancel':
      return 'no run is active\n';
    case '/exit':
      return 'exit';
    default:
      return unknown(line.trim());
  }
}

/** A path has a second slash or a capital, a dot, a digit; `/word` alone is a command that was mistyped. */
function unknown(line: string): string | undefined {
  return /^\/[a-z]+$/.test(line) ? `${line}: no such command; /help lists them\n` : undefined;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
