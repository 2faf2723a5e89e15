import { readFileSync } from 'node:fs';
import { CortexError, errorLines } from '@cortexfs/abi/errors';
import { parseObjectName } from '@cortexfs/abi/names';
import { agentControl, privateSessions, sessionFile } from '@cortexfs/abi/paths';
import { inputHistory } from '../../chat/input-history.ts';
import { LineEditor } from '../../chat/line-editor.ts';
import { withLineBreaks } from '../../chat/paste.ts';
import { type ChatPlace, slashCommand } from '../../chat/slash-command.ts';
import { takeTurn } from '../../chat/turn.ts';
import { type Invocation, text } from '../../command/command.ts';
import { liveRoot } from '../../place/root.ts';
import { cancelRun } from '../../session/cancel-run.ts';
import { sessionOf } from '../../session/name.ts';
import { connectAgent } from '../../socket/connect.ts';

/** `ctx agent chat NAME`: the human chat. Leaves with 0 on Ctrl-C or Ctrl-D at the prompt and on /exit. See docs/chat.md. */
export async function run(invocation: Invocation): Promise<number> {
  const agent = parseObjectName(invocation.operands[0] ?? '');
  const root = liveRoot(invocation.root);
  const place = { root, agent, session: sessionOf(root, agent, text(invocation, 'session')) };
  // An agent that is not running is told before the first prompt, not after the first message.
  (await connectAgent(root, agent)).close();
  const editor = new LineEditor(`${agent}/${place.session}> `, historyOf(place));
  try {
    for (let line = await editor.next(); line !== undefined; line = await editor.next()) {
      if (line.trim() === '') continue;
      const command = slashCommand(line, place);
      if (command === 'exit') break;
      if (command === 'cancel') await shown(() => cancelActive(place));
      else if (command !== undefined) process.stdout.write(command.print);
      else if ((await shown(() => takeTurn(place, withLineBreaks(line), editor))) === 'left') break;
    }
  } finally {
    editor.close();
  }
  return 0;
}

/** A refusal does not end the chat. */
async function shown<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof CortexError)) throw error;
    process.stdout.write(errorLines('ctx', error));
    return undefined;
  }
}

async function cancelActive({ root, agent, session }: ChatPlace): Promise<void> {
  const run = await cancelRun(root, agent, session);
  process.stdout.write(run === undefined ? 'no run is active\n' : `cancelled ${run}\n`);
}

function historyOf({ root, agent, session }: ChatPlace): string[] {
  const owner = Number(readFileSync(`${root}/${agentControl(agent, 'owner')}`, 'utf8'));
  return inputHistory(`${root}/${sessionFile(`${privateSessions(owner, agent)}/${session}`, 'messages')}`);
}
