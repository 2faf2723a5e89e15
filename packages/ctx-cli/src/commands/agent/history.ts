import { CortexError } from '@cortexfs/abi/errors';
import { parseJsonObject } from '@cortexfs/abi/json';
import { parseObjectName } from '@cortexfs/abi/names';
import { parseSessionMessage, type SessionMessage } from '@cortexfs/abi/session/message';
import { oneLine, stripControls } from '@cortexfs/abi/terminal-text';
import { type Invocation, text } from '../../command/command.ts';
import { liveRoot } from '../../place/root.ts';
import { openSessionFile } from '../../session/files.ts';
import { sessionOf } from '../../session/name.ts';

/** `ctx agent history NAME`: what was said in a session, oldest first; `--json` gives the lines as they are stored. */
export async function run(invocation: Invocation): Promise<number> {
  const agent = parseObjectName(invocation.operands[0] ?? '');
  const root = liveRoot(invocation.root);
  const most = countOf(text(invocation, 'last'));
  const session = sessionOf(root, agent, text(invocation, 'session'));
  const file = await openSessionFile(root, agent, session, 'messages');
  try {
    const lines: string[] = [];
    for await (const line of file.readLines({ encoding: 'utf8' })) {
      lines.push(line);
      if (lines.length > most) lines.shift();
    }
    for (const line of lines) process.stdout.write(invocation.json ? `${line}\n` : inWords(line));
  } finally {
    await file.close();
  }
  return 0;
}

function countOf(last: string | undefined): number {
  if (last === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,6}$/.test(last)) return Number(last);
  throw new CortexError('EINVAL', `agent history: --last ${JSON.stringify(last)} is not a number from 1`);
}

function inWords(line: string): string {
  // The last line may be one that is being written.
  if (line === '' || !line.endsWith('}')) return '';
  const message = parseSessionMessage(parseJsonObject(line));
  const head = `${message.ts}  ${message.role}`;
  return `${head}\n${indented(bodyOf(message))}\n`;
}

function bodyOf({ content }: SessionMessage): string {
  return content
    .map((part) =>
      part.type === 'text'
        ? part.text
        : `${part.name} ${part.status}: ${oneLine(part.content.slice(0, 500))}`,
    )
    .join('\n');
}

function indented(body: string): string {
  return stripControls(body)
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}\n`)
    .join('');
}
