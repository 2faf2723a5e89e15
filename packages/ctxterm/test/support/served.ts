import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { Journal } from '../../src/log/journal.ts';
import { earlierMeta, Resource } from '../../src/log/resource.ts';
import type { PtyExit } from '../../src/pty/process.ts';
import { Screen } from '../../src/screen/screen.ts';
import { Listener } from '../../src/socket/listener.ts';
import { Terminal } from '../../src/terminal.ts';

export interface Served {
  socket: string;
  /** The record directory. */
  meta: string;
  terminal: Terminal;
  listener: Listener;
  /** Errors that did not end the terminal. */
  reports: unknown[];
  ended: Promise<PtyExit>;
}

export interface ServeOptions {
  cols?: number;
  rows?: number;
  scrollback?: number;
  directory?: string;
}

/** A private directory that is gone after the test. */
export function scratch(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'ctxt-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A real terminal on a real PTY and socket, in this process; hung up after the test. */
export async function serveCommand(t: Test, script: string, options: ServeOptions = {}): Promise<Served> {
  const directory = options.directory ?? scratch(t);
  const socket = join(directory, 's');
  const { cols = 80, rows = 24, scrollback = 100 } = options;
  const reports: unknown[] = [];
  const report = (error: unknown) => void reports.push(error);
  const resource = new Resource(directory, earlierMeta(directory) ?? example(socket), report);
  const journal = new Journal(directory, report);
  let terminal: Terminal | undefined;
  const listener = new Listener(socket, (peer) => terminal?.clients.accept(peer, socket));
  await listener.open();
  terminal = new Terminal({
    journal,
    resource,
    screen: new Screen({ cols, rows, scrollback }),
    command: {
      file: '/bin/bash',
      args: ['--norc', '-c', script],
      env: { PATH: '/usr/bin:/bin', TERM: 'xterm-256color', HOME: directory, LANG: 'C.UTF-8' },
      cwd: directory,
      cols,
      rows,
    },
  });
  const ended = terminal.ended.then(async (how) => {
    listener.close();
    await Promise.all([journal.close(), resource.settled()]);
    return how;
  });
  t.teardown(async () => {
    terminal.hangUp();
    await ended;
  });
  return { socket, meta: directory, terminal, listener, reports, ended };
}

function example(socket: string): ConstructorParameters<typeof Resource>[1] {
  return {
    id: 'terminal-coder-default',
    agent: 'coder',
    session: 'default',
    owner: process.geteuid!(),
    cwd: '/',
    command: ['bash'],
    state: 'created',
    socket,
    created_at: '2026-01-01T00:00:00.000Z',
    size: { cols: 80, rows: 24 },
  } as ConstructorParameters<typeof Resource>[1];
}
