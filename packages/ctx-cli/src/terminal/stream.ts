import { once } from 'node:events';
import type { Socket } from 'node:net';
import { TerminalFilter } from '@cortexfs/abi/terminal/filter';
import { TerminalClient } from './client.ts';
import type { Visit } from './join.ts';

/**
 * `watch` without a terminal on both sides: the stream to standard output, or the frames with `json`. It is filtered as on a
 * terminal, for it may well end on one: standard output can be a terminal where standard input is none, or a pager's.
 */
export async function streamTerminal(socket: Socket, json: boolean): Promise<Visit> {
  const client = new TerminalClient(socket, { op: 'watch' });
  const filter = new TerminalFilter('watch');
  for await (const frame of client.frames()) {
    const piece = json
      ? `${JSON.stringify(frame)}\n`
      : 'data_b64' in frame
        ? filter.push(Buffer.from(frame.data_b64, 'base64'))
        : '';
    if (piece.length > 0 && !process.stdout.write(piece)) await once(process.stdout, 'drain');
    if (frame.type === 'exit') return { ended: 'exited', exitCode: frame.exit_code };
  }
  return { ended: 'closed' };
}
