import { CortexError } from '@cortexfs/abi/errors';
import { parseObjectName } from '@cortexfs/abi/names';
import { TERMINAL_FILES, terminalId } from '@cortexfs/abi/paths';
import { type Invocation, text } from '../../command/command.ts';
import { liveRoot } from '../../place/root.ts';
import { sessionOf } from '../../session/name.ts';
import { lastExit } from '../../terminal/last-exit.ts';
import { stateOf, terminalsOf } from '../../terminal/resource.ts';

/** `ctx terminal status AGENT`: what is known of the terminal of one session. Exit 1 when there never was one. */
export async function run(invocation: Invocation): Promise<number> {
  const root = liveRoot(invocation.root);
  const agent = parseObjectName(invocation.operands[0] ?? '');
  const session = sessionOf(root, agent, text(invocation, 'session'));
  const id = terminalId(agent, session);
  const terminal = terminalsOf(root, agent).find(({ meta }) => meta.id === id);
  if (terminal === undefined) {
    throw new CortexError('ENOENT', `session ${session} has no terminal`, {
      path: `agent/${agent}`,
      layer: 'terminal',
      hint: `ctx terminal create ${agent} --session ${session}`,
    });
  }
  const { meta, path } = terminal;
  const events = `${path}/${TERMINAL_FILES.events}`;
  const state = await stateOf(root, terminal);
  const exit = state === 'exited' ? lastExit(`${root}/${events}`) : undefined;
  if (invocation.json) {
    process.stdout.write(`${JSON.stringify({ ...meta, state, ...(exit && { exit }), path, events })}\n`);
    return 0;
  }
  const lines = [
    ['id', meta.id],
    ['state', exit ? `${state} (${exit.signal ?? exit.exit_code})` : state],
    ['session', `${agent}/${session}`],
    ['command', meta.command.join(' ')],
    ['cwd', meta.cwd],
    ['size', `${meta.size.cols}x${meta.size.rows}`],
    ['created', meta.created_at],
    ['events', `${root}/${events}`],
  ];
  for (const [name = '', value] of lines) process.stdout.write(`${name.padEnd(8)} ${value}\n`);
  return 0;
}
