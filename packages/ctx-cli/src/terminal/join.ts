import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { TerminalFrame, TerminalMode } from '@cortexfs/abi/frames/terminal';
import { TerminalFilter } from '@cortexfs/abi/terminal/filter';
import { TerminalClient } from './client.ts';
import { DetachKeys } from './detach-keys.ts';
import { Screen } from './screen.ts';

/** How a visit to a terminal ended. */
export interface Visit {
  readonly ended: 'detached' | 'exited' | 'closed';
  readonly exitCode?: number | null;
}

/**
 * Joins a terminal on the person's own: `watch` shows, `attach` also types and resizes. Output is filtered, so that what the agent's
 * programs print cannot make this terminal answer or change more than its screen. See docs/terminal.md.
 */
export async function joinTerminal(socket: Socket, mode: TerminalMode): Promise<Visit> {
  const size = { cols: process.stdout.columns, rows: process.stdout.rows };
  const client = new TerminalClient(socket, mode === 'attach' ? { op: mode, ...size } : { op: mode });
  const screen = new Screen();
  screen.take();
  const keys = new DetachKeys();
  let detached = false;
  const leave = () => {
    detached = true;
    client.detach();
  };
  const typed = (chunk: Buffer) => {
    const { bytes, detach } = keys.take(chunk);
    if (mode === 'attach' && bytes.length > 0)
      client.send({ op: 'input', data_b64: bytes.toString('base64') });
    if (detach || (mode === 'watch' && isQuit(bytes))) leave();
  };
  const resized = () =>
    client.send({ op: 'resize', cols: process.stdout.columns, rows: process.stdout.rows });
  process.stdin.on('data', typed).resume();
  if (mode === 'attach') process.stdout.on('resize', resized);
  try {
    const last = await show(client, new TerminalFilter('watch'));
    return detached ? { ended: 'detached' } : last;
  } finally {
    process.stdin.off('data', typed);
    process.stdout.off('resize', resized);
    screen.giveBack();
  }
}

async function show(client: TerminalClient, filter: TerminalFilter): Promise<Visit> {
  let painting = false;
  for await (const frame of client.frames()) {
    if (frame.type === 'exit') return { ended: 'exited', exitCode: frame.exit_code };
    const bytes = paintedBy(frame, filter, painting);
    painting = frame.type === 'screen' && frame.more === true;
    if (bytes.length > 0 && !process.stdout.write(bytes)) await once(process.stdout, 'drain');
  }
  return { ended: 'closed' };
}

/** `painting`: a part of the same screen came before. */
function paintedBy(frame: TerminalFrame, filter: TerminalFilter, painting: boolean): Buffer {
  if (frame.type === 'output') return filter.push(Buffer.from(frame.data_b64, 'base64'));
  if (frame.type !== 'screen') return Buffer.alloc(0);
  const painted = filter.push(Buffer.from(frame.data_b64, 'base64'));
  return painting ? painted : Buffer.concat([clean, painted]);
}

const clean = Buffer.from('\x1b[0m\x1b[2J\x1b[H');

/** A watcher types nothing, so that q and Ctrl-C may mean leaving. */
function isQuit(bytes: Buffer): boolean {
  return bytes.includes(0x71) || bytes.includes(0x03);
}
