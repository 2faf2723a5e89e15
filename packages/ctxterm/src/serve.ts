import { resolve } from 'node:path';
import { errorLines, fromNodeError } from '@cortexfs/abi/errors';
import { type ObjectName, parseObjectName, parseSessionName } from '@cortexfs/abi/names';
import { terminalId } from '@cortexfs/abi/paths/session';
import type { TerminalMeta } from '@cortexfs/abi/session/terminal';
import { formatTimestamp } from '@cortexfs/abi/timestamp';
import type { Arguments } from './arguments.ts';
import { findCommand } from './command.ts';
import { Journal } from './log/journal.ts';
import { earlierMeta, Resource } from './log/resource.ts';
import { Screen } from './screen/screen.ts';
import { Listener } from './socket/listener.ts';
import { Terminal } from './terminal.ts';

/** Runs the terminal to its end. Returns the exit code of the command, or 128 and its signal. */
export async function serve(args: Arguments): Promise<number> {
  const path = resolve(args.listen);
  const resource = new Resource(args.meta, describe(args, path), report);
  let terminal: Terminal | undefined;
  const listener = new Listener(path, (socket) => {
    if (terminal) terminal.clients.accept(socket, path);
    else socket.destroy();
  });
  let journal: Journal | undefined;
  let ending = false;
  // From before the program runs, which may ask for the end at once.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      ending = true;
      terminal?.hangUp();
    });
  }
  try {
    const command = await findCommand(args.command);
    // Who can connect finds the records of this start, not of the one before.
    resource.update({ state: 'created' });
    await resource.settled();
    await listener.open();
    journal = new Journal(args.meta, report);
    terminal = new Terminal({
      journal,
      resource,
      screen: new Screen(args),
      command: { ...command, env: environment(), cwd: process.cwd(), cols: args.cols, rows: args.rows },
    });
  } catch (error) {
    listener.close();
    resource.update({ state: 'error' });
    await resource.settled();
    throw error;
  }
  const running = terminal;
  process.on('SIGHUP', () => void listener.reopen().catch(report));
  if (ending) running.hangUp();

  const { exitCode, signal } = await running.ended;
  listener.close();
  await Promise.all([journal.close(), resource.settled()]);
  return signal === 0 ? exitCode : 128 + signal;
}

/** What is known of the terminal: who created it may have written meta.json before. */
function describe(args: Arguments, socket: string): TerminalMeta {
  const earlier = earlierMeta(args.meta);
  const agent = args.agent ?? earlier?.agent ?? agentOfEnvironment();
  const session = args.session ?? earlier?.session ?? parseSessionName('default');
  return {
    id: earlier?.id ?? terminalId(agent, session),
    agent,
    session,
    owner: process.geteuid!(),
    cwd: process.cwd(),
    command: args.command.length > 0 ? args.command : ['tsh'],
    state: 'created',
    socket,
    created_at: earlier?.created_at ?? formatTimestamp(Date.now()),
    size: { cols: args.cols, rows: args.rows },
  };
}

function agentOfEnvironment(): ObjectName {
  return parseObjectName(process.env['CTX_AGENT'] ?? 'none');
}

/** The program must not take another terminal for its own. */
function environment(): Record<string, string | undefined> {
  const { TMUX, TMUX_PANE, STY, WINDOW, WINDOWID, TERMCAP, COLUMNS, LINES, ...rest } = process.env;
  return { ...rest, TERM: rest['TERM'] ?? 'xterm-256color' };
}

/** Trouble that does not end the terminal. */
function report(error: unknown): void {
  process.stderr.write(errorLines('ctxterm', fromNodeError(error, { layer: 'terminal' })));
}
