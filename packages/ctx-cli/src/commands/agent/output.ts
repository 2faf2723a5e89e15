import { parseObjectName } from '@cortexfs/abi/names';
import { stripControls } from '@cortexfs/abi/terminal-text';
import { type Invocation, text } from '../../command/command.ts';
import { liveRoot } from '../../place/root.ts';
import { openSessionFile } from '../../session/files.ts';
import { sessionOf } from '../../session/name.ts';

/** `ctx agent output NAME`: the last answer of a session. */
export async function run(invocation: Invocation): Promise<number> {
  const agent = parseObjectName(invocation.operands[0] ?? '');
  const root = liveRoot(invocation.root);
  const session = sessionOf(root, agent, text(invocation, 'session'));
  const file = await openSessionFile(root, agent, session, 'latest');
  try {
    const output = await file.readFile('utf8');
    if (invocation.json) process.stdout.write(`${JSON.stringify({ agent, session, output })}\n`);
    else process.stdout.write(process.stdout.isTTY ? stripControls(output) : output);
  } finally {
    await file.close();
  }
  return 0;
}
