import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseJsonObject } from '@cortexfs/abi/json';
import { parseTerminalMeta, parseTerminalRecord } from '@cortexfs/abi/session/terminal';
import t, { type Test } from 'tap';
import { connectTo } from './support/client.ts';

const main = resolve(import.meta.dirname, '../dist/ctxterm.js');

interface Started {
  child: ChildProcess;
  ended: Promise<number | null>;
  stderr: () => string;
}

function start(t: Test, ...args: string[]): Started {
  const child = spawn(process.execPath, [main, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text) => (stderr += text));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, stderr: () => stderr };
}

function place(t: Test): { socket: string; meta: string } {
  const directory = mkdtempSync(join(tmpdir(), 'ctxt-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, 'meta'));
  return { socket: join(directory, 's'), meta: join(directory, 'meta') };
}

/** A socket is in the file system a moment before it can be connected. */
async function listens(socket: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await connects(socket))) {
    if (Date.now() > deadline) throw new Error(`nobody listens at ${socket}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function connects(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

async function appears(path: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!existsSync(path)) {
    if (Date.now() > deadline) throw new Error(`${path} does not appear`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

t.test('it exits with the code of its command, or 128 and the signal', async (t) => {
  const { socket } = place(t);
  t.equal(await start(t, '--listen', socket, '--', '/bin/sh', '-c', 'exit 7').ended, 7);
  t.equal(await start(t, '--listen', socket, '--', '/bin/sh', '-c', 'kill -KILL $$').ended, 137);
  t.notOk(existsSync(socket));
});

t.test('wrong usage, a missing program and a bad directory are told apart', async (t) => {
  const { socket } = place(t);
  const cases: [string[], number, RegExp][] = [
    [[], 2, /--listen SOCKET is missing/],
    [['--listen', socket, '--cols', '0'], 2, /--cols/],
    [['--listen', socket, '--bogus'], 2, /unknown option --bogus/],
    [['--listen', socket, '--', '/no/such/program'], 1, /ENOENT: \/no\/such\/program/],
    [['--listen', '/no/such/dir/s', '--', 'true'], 1, /ENOENT: \/no\/such\/dir/],
  ];
  for (const [args, code, message] of cases) {
    const started = start(t, ...args);
    t.equal(await started.ended, code);
    t.match(started.stderr(), message);
  }
});

t.test('its records say what it is and was, and numbers go on at the next start', async (t) => {
  const { socket, meta } = place(t);
  const read = (file: string) => readFileSync(join(meta, file), 'utf8');
  const first = start(
    t,
    '--listen',
    socket,
    '--meta',
    meta,
    '--agent',
    'coder',
    '--session',
    'work',
    '--cols',
    '90',
    '--',
    '/bin/sh',
    '-c',
    'echo one; read x',
  );
  await listens(socket);
  t.match(read('state'), /^(created|running)\n$/, 'of this start, before anybody can connect');
  const client = await connectTo(t, socket, { op: 'attach' });
  await client.text('one');
  // Written when the disk has it, not when the program runs.
  const deadline = Date.now() + 60_000;
  while (read('state') !== 'running\n' && Date.now() < deadline) await delay(20);
  t.equal(read('state'), 'running\n');
  t.match(parseTerminalMeta(read('meta.json')), {
    id: 'terminal-coder-work',
    agent: 'coder',
    session: 'work',
    size: { cols: 90, rows: 24 },
    owner: process.geteuid!(),
  });
  client.type('\n');
  t.equal(await first.ended, 0);
  t.equal(read('status'), 'exited\n');
  t.equal(await start(t, '--listen', socket, '--meta', meta, '--', '/bin/sh', '-c', 'echo two').ended, 0);
  t.match(parseTerminalMeta(read('meta.json')), {
    id: 'terminal-coder-work',
    session: 'work',
    command: ['/bin/sh', '-c', 'echo two'],
  });
  const records = read('events.jsonl')
    .trim()
    .split('\n')
    .map((line) => parseTerminalRecord(parseJsonObject(line)));
  t.same(
    records.map(({ seq }) => seq),
    records.map((_, index) => index + 1),
  );
  t.same(records.filter(({ type }) => type === 'process.exit').length, 2);
  t.match(
    records.find(({ type }) => type === 'client.attach'),
    { uid: process.geteuid!(), pid: process.pid, mode: 'attach' },
  );
});

t.test('a program that cannot be started leaves the state error', async (t) => {
  const { socket, meta } = place(t);
  t.equal(await start(t, '--listen', socket, '--meta', meta, '--', '/no/such').ended, 1);
  t.equal(readFileSync(join(meta, 'state'), 'utf8'), 'error\n');
});

t.test('SIGHUP makes a removed socket anew, and who was connected stays', async (t) => {
  const { socket } = place(t);
  const { child } = start(
    t,
    '--listen',
    socket,
    '--',
    '/bin/sh',
    '-c',
    'while read x; do echo "got <$x>"; done',
  );
  await listens(socket);
  const old = await connectTo(t, socket, { op: 'attach' });
  await old.frame('screen');
  unlinkSync(socket);
  child.kill('SIGHUP');
  await listens(socket);
  const fresh = await connectTo(t, socket, { op: 'watch' });
  await fresh.frame('screen');
  old.type('hello\n');
  await fresh.text('got <hello>');
});

t.test('SIGTERM hangs up, and a program that does not care is killed', async (t) => {
  const { socket, meta } = place(t);
  for (const [name, onHangUp, code] of [
    ['polite', 'exit 3', 3],
    ['stubborn', '', 137],
  ] as const) {
    const trapped = join(meta, name);
    const script = `trap "${onHangUp}" HUP; : > ${trapped}; while :; do sleep 0.05; done`;
    const terminal = start(t, '--listen', socket, '--', '/bin/sh', '-c', script);
    await appears(trapped);
    terminal.child.kill('SIGTERM');
    t.equal(await terminal.ended, code, name);
  }
});

t.test('a terminal starts where a killed one left its socket', async (t) => {
  const { socket } = place(t);
  const killed = start(t, '--listen', socket, '--', 'sleep', '60');
  await listens(socket);
  killed.child.kill('SIGKILL');
  await killed.ended;
  t.ok(existsSync(socket), 'the stale socket is still there');
  const next = start(t, '--listen', socket, '--', '/bin/sh', '-c', 'exit 7');
  t.equal(await next.ended, 7, next.stderr());
});

t.test('a second terminal on a served socket is refused with EBUSY', async (t) => {
  const { socket } = place(t);
  start(t, '--listen', socket, '--', 'sleep', '60');
  await listens(socket);
  const second = start(t, '--listen', socket, '--', 'true');
  t.equal(await second.ended, 1);
  t.match(second.stderr(), /EBUSY/);
  t.ok(existsSync(socket));
});
