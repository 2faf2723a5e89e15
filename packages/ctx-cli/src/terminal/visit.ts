import { CortexError } from '@cortexfs/abi/errors';
import type { TerminalMode } from '@cortexfs/abi/frames/terminal';
import { parseObjectName } from '@cortexfs/abi/names';
import { type Invocation, text } from '../command/command.ts';
import { liveRoot } from '../place/root.ts';
import { sessionOf } from '../session/name.ts';
import { connectTerminal } from './endpoint.ts';
import { joinTerminal, type Visit } from './join.ts';
import { streamTerminal } from './stream.ts';

/** `ctx agent watch|attach NAME`. Exit 0 after leaving or when the terminal's program ended, 69 when the terminal went away. */
export async function visitTerminal(invocation: Invocation, mode: TerminalMode): Promise<number> {
  const agent = parseObjectName(invocation.operands[0] ?? '');
  const root = liveRoot(invocation.root);
  const onTerminal = process.stdin.isTTY && process.stdout.isTTY && !invocation.json;
  if (mode === 'attach' && !onTerminal) {
    throw new CortexError('ENOTTY', 'agent attach needs a terminal', {
      layer: 'terminal',
      hint: `ctx agent watch ${agent} works without one`,
    });
  }
  const socket = await connectTerminal(root, agent, sessionOf(root, agent, text(invocation, 'session')));
  if (onTerminal) process.stderr.write(`joining ${agent} (${mode}); leave with Ctrl-\\ d\n`);
  const visit = onTerminal ? await joinTerminal(socket, mode) : await streamTerminal(socket, invocation.json);
  return report(visit, Boolean(onTerminal), agent);
}

function report({ ended, exitCode }: Visit, onTerminal: boolean, agent: string): number {
  const why =
    ended === 'exited'
      ? `the terminal's program ended (${exitCode ?? 'by a signal'})`
      : 'the terminal went away';
  const again = `hint: ctx agent start ${agent} opens a new one`;
  if (onTerminal)
    process.stderr.write(ended === 'detached' ? 'left; the terminal goes on\n' : `${why}\n${again}\n`);
  return ended === 'closed' ? 69 : 0;
}
