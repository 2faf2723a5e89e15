import { setTimeout as delay } from 'node:timers/promises';
import xterm from '@xterm/headless';
import t, { type Test } from 'tap';
import { connectTo, type TestClient } from './support/client.ts';
import { serveCommand } from './support/served.ts';

const { Terminal } = xterm;

t.test('hello names the terminal, the mode and the size; then comes the screen', async (t) => {
  const { socket } = await serveCommand(t, 'echo hello there; read x');
  const client = await connectTo(t, socket, { op: 'watch' });
  t.match(await client.frame('hello'), {
    schema: 'cortexfs.terminal/v1',
    terminal: 'terminal-coder-default',
    mode: 'watch',
    cols: 80,
    rows: 24,
  });
  await client.text('hello there');
  t.equal(client.frames[0]!.type, 'hello');
  t.equal(client.frames[1]!.type, 'screen');
});

t.test('an attached client types, and everybody sees the answer', async (t) => {
  const { socket } = await serveCommand(t, 'while read line; do echo "got <$line>"; done');
  const watcher = await connectTo(t, socket, { op: 'watch' });
  const attached = await connectTo(t, socket, { op: 'attach' });
  await attached.frame('screen');
  await watcher.frame('screen');
  attached.type('日本 é\n');
  await attached.text('got <日本 é>');
  await watcher.text('got <日本 é>');
});

t.test("a watcher's input, resize and signal are EACCES and change nothing", async (t) => {
  const { socket } = await serveCommand(
    t,
    'trap "echo INTERRUPTED" INT; while read line; do echo "got <$line>"; stty size; done',
  );
  const watcher = await connectTo(t, socket, { op: 'watch' });
  await watcher.frame('screen');
  watcher.type('evil\n');
  watcher.send({ op: 'resize', cols: 10, rows: 10 });
  watcher.send({ op: 'signal', name: 'INT' });
  await watcher.until(() => watcher.all('error').length === 3);
  t.same(
    watcher.all('error').map((e) => e.code),
    ['EACCES', 'EACCES', 'EACCES'],
  );
  const attached = await connectTo(t, socket, { op: 'attach' });
  await attached.frame('screen');
  attached.type('good\n');
  await attached.text('24 80');
  t.notMatch(attached.shown, /evil|INTERRUPTED/);
  t.equal(watcher.all('resize').length, 0);
});

t.test('the program gets the size of the attached client that acted last', async (t) => {
  const { socket } = await serveCommand(t, 'while read line; do stty size; done');
  const watcher = await connectTo(t, socket, { op: 'watch', cols: 20, rows: 5 });
  const wide = await connectTo(t, socket, { op: 'attach', cols: 120, rows: 40 });
  await wide.frame('screen');
  wide.type('\n');
  await wide.text('40 120');
  const small = await connectTo(t, socket, { op: 'attach', cols: 60, rows: 20 });
  t.match(await small.frame('hello'), { cols: 60, rows: 20 });
  small.type('\n');
  await small.text('20 60');
  wide.type('\n');
  await wide.until(() => wide.output.split('40 120').length === 3);
  small.send({ op: 'resize', cols: 61, rows: 21 });
  await watcher.until(() => watcher.all('resize').some((r) => r.cols === 61 && r.rows === 21));
  t.match(
    watcher.all('resize').map((r) => r.cols),
    [120, 60, 120, 61],
  );
});

t.test('a signal reaches the foreground job', async (t) => {
  const { socket } = await serveCommand(t, `set -m; sh -c 'echo up; exec sleep 60'; echo "ended $?"; read x`);
  const client = await connectTo(t, socket, { op: 'attach' });
  // From then on it is the job in the foreground, not the shell.
  await client.text('up');
  client.send({ op: 'signal', name: 'TERM' });
  await client.text('ended 143');
});

t.test('ping, detach and unknown requests', async (t) => {
  const { socket } = await serveCommand(t, 'read x; echo "still $x"; read x');
  const client = await connectTo(t, socket, { op: 'attach' });
  client.send({ op: 'ping', extra: 1 });
  await client.frame('pong');
  client.send({ op: 'dance' });
  t.match(await client.frame('error'), { code: 'EINVAL' });
  client.type('here\n');
  await client.text('still here');
  client.send({ op: 'detach' });
  await client.until(() => client.closed);
  const second = await connectTo(t, socket, { op: 'watch' });
  await second.text('still here');
});

t.test('the exit of the program is told to everybody, after all its output', async (t) => {
  const { socket, ended } = await serveCommand(t, 'read x; seq 1 2000; exit 5');
  const watcher = await connectTo(t, socket, { op: 'watch' });
  const attached = await connectTo(t, socket, { op: 'attach' });
  await watcher.frame('screen');
  attached.type('\n');
  for (const client of [watcher, attached]) {
    t.match(await client.frame('exit'), { exit_code: 5, signal: null });
    t.equal(client.frames.at(-1)!.type, 'exit');
    t.match(client.output, /1999\r\n2000\r\n$/);
    await client.until(() => client.closed);
  }
  t.match(await ended, { exitCode: 5, signal: 0 });
});

t.test('a program ended by a signal says which', async (t) => {
  const { socket, ended } = await serveCommand(t, 'read x; kill -KILL $$');
  const client = await connectTo(t, socket, { op: 'attach' });
  client.type('\n');
  t.match(await client.frame('exit'), { exit_code: null, signal: 'SIGKILL' });
  t.equal((await ended).signal, 9);
});

/** What a terminal of that size shows after these bytes, line by line, and where its cursor is. */
async function painted(bytes: Buffer, cols: number, rows: number) {
  const terminal = new Terminal({ cols, rows, allowProposedApi: true, logLevel: 'off' });
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: rows }, (_, y) =>
    active.getLine(active.baseY + y)!.translateToString(true),
  );
  return { lines, cursor: [active.cursorX, active.cursorY], type: active.type, modes: terminal.modes };
}

async function bothShow(t: Test, early: TestClient, late: TestClient): Promise<void> {
  t.same(
    await painted(late.bytes('screen', 'output'), 80, 24),
    await painted(early.bytes('screen', 'output'), 80, 24),
  );
}

t.test('a late joiner sees exactly what is there: text, colours, cursor, margins and modes', async (t) => {
  const script = String.raw`printf '\033[31;1mred\033[0m\r\n\033]2;a title\007\033[?2004h\033[?1h\033[5;15r\033[7;9Hhere \033[4mlined 日本\033[3Gx'; read x; printf '\n\n\n\n\n\n\n\n\n\n\n\nscrolled inside'; read x`;
  const { socket } = await serveCommand(t, script);
  const early = await connectTo(t, socket, { op: 'attach' });
  await early.text('lined');
  await delay(50);
  const late = await connectTo(t, socket, { op: 'watch' });
  await late.frame('screen');
  await bothShow(t, early, late);
  t.match(late.screens, '\x1b]2;a title\x07');
  early.type('\n');
  await late.text('scrolled inside');
  await early.text('scrolled inside');
  await bothShow(t, early, late);
});

t.test(
  'a late joiner of a full-screen program sees the alternate screen, and the normal one after it',
  async (t) => {
    const script = String.raw`echo before; printf '\033[?1049h\033[2J\033[3;3Hfull screen\033[?25l'; read x; printf '\033[?25h\033[?1049l'; echo after; read x`;
    const { socket } = await serveCommand(t, script);
    const early = await connectTo(t, socket, { op: 'attach' });
    await early.text('full screen');
    const late = await connectTo(t, socket, { op: 'watch' });
    await late.frame('screen');
    t.match(late.screens, /\x1b\[\?25l/);
    await bothShow(t, early, late);
    early.type('\n');
    await early.text('after');
    await late.text('after');
    await bothShow(t, early, late);
    const { lines } = await painted(late.bytes('screen', 'output'), 80, 24);
    t.match(lines.join('\n'), /before[\s\S]*after/);
  },
);

t.test('who joins between two halves of a character or a sequence sees neither half', async (t) => {
  const script = String.raw`read x; printf 'start\346\227'; read x; printf '\245middle\033[3'; read x; printf '1mred\033]0;ti'; read x; printf 'tle\007end'; read x`;
  const { socket } = await serveCommand(t, `stty -echo; printf ready; ${script}`);
  const early = await connectTo(t, socket, { op: 'attach' });
  await early.text('ready');
  const clients = [early];
  for (const marker of ['start', 'middle', 'red', 'end']) {
    early.type('\n');
    await early.text(marker);
    await delay(30);
    clients.push(await connectTo(t, socket, { op: 'watch' }));
    await clients.at(-1)!.frame('screen');
  }
  for (const client of clients) {
    await client.text('end');
    const { lines } = await painted(client.bytes('screen', 'output'), 80, 24);
    t.equal(lines[0], 'readystart日middleredend');
  }
});

t.test('who joins inside an endless title shows nothing of it', async (t) => {
  const script = String.raw`stty -echo; printf R; read x; printf 'a\033]0;'; head -c 20000 /dev/zero | tr '\0' x; read x; printf 'yyy\007after'; read x`;
  const { socket } = await serveCommand(t, script);
  const early = await connectTo(t, socket, { op: 'attach' });
  await early.until(() => early.shown.includes('R'));
  early.type('\n');
  // All of the title that there is has to be out, or the rest would come to those who join.
  await early.until(() => early.output.replace(/^R/, '').length === 'a\x1b]0;'.length + 20_000);
  const late = await connectTo(t, socket, { op: 'watch' });
  const none = await connectTo(t, socket, { op: 'watch', replay: 'none' });
  await late.frame('screen');
  await none.frame('hello');
  early.type('\n');
  for (const [client, text] of [
    [late, 'Raafter'],
    [none, 'after'],
  ] as const) {
    await client.text('after');
    const { lines } = await painted(client.bytes('screen', 'output'), 80, 24);
    t.equal(lines[0], text);
  }
});

t.test('replay of a number gives what came after it; of none, nothing', async (t) => {
  const { socket } = await serveCommand(t, 'while read line; do echo "got <$line>"; done');
  const first = await connectTo(t, socket, { op: 'attach' });
  await first.frame('screen');
  first.type('one\n');
  await first.text('got <one>');
  await delay(30);
  const { seq } = first.all('output').at(-1)!;
  first.type('two\n');
  await first.text('got <two>');
  await delay(30);
  const again = await connectTo(t, socket, { op: 'attach', replay: seq });
  const none = await connectTo(t, socket, { op: 'watch', replay: 'none' });
  await again.text('got <two>');
  await none.frame('hello');
  first.type('three\n');
  await again.text('got <three>');
  await none.text('got <three>');
  t.notMatch(again.shown, 'got <one>');
  t.equal(again.all('screen').length, 0);
  t.notMatch(none.shown, 'got <two>');
  const seqs = again.all('output').map((frame) => frame.seq);
  t.same(
    seqs,
    [...new Set(seqs)].sort((a, b) => a - b),
  );
});

t.test(
  'device queries make nobody answer: not the headless screen, not a replay, not a watcher',
  async (t) => {
    const queries = String.raw`\033[c\033[>c\033[6n\033[?6n\005\033P$qm\033\\\033[18t\033]10;?\007`;
    const script = `stty raw -echo; printf 'ask${queries}done'; head -c 4; printf '|'; sleep 60`;
    const { socket } = await serveCommand(t, script);
    const attached = await connectTo(t, socket, { op: 'attach' });
    await attached.text('done');
    const late = await connectTo(t, socket, { op: 'attach' });
    await late.frame('screen');
    t.notMatch(late.screens, /\x1b\[>?c|\x1b\[\??6n|\x05|\$qm|\x1b\[18t|10;\?/);
    const replayed = await connectTo(t, socket, { op: 'attach', replay: 0 });
    await replayed.text('done');
    t.notMatch(replayed.output, /\x1b\[>?c|\x1b\[\??6n|\x05|\$qm|\x1b\[18t|10;\?/);
    await delay(200);
    t.notMatch(attached.shown, /\|/, 'no byte has reached the program');
    attached.type('abcd');
    await attached.text('abcd|');
  },
);

t.test(
  'a client that stops reading is skipped forward and gets a fresh screen; nobody else notices',
  async (t) => {
    const lines = 300_000;
    const { socket, ended } = await serveCommand(t, `read x; seq 1 ${lines}; echo finished; read x`);
    const asleep = await connectTo(t, socket, { op: 'watch' });
    const awake = await connectTo(t, socket, { op: 'attach' });
    await asleep.frame('screen');
    asleep.socket.pause();
    awake.type('\n');
    await awake.text('finished');
    t.match(awake.output, new RegExp(`${lines - 1}\r\n${lines}\r\nfinished`));
    asleep.socket.resume();
    await asleep.text('finished');
    t.ok(asleep.all('screen').length > 1, 'it was sent a fresh screen');
    t.ok(asleep.bytes('output').length < 1_500_000, 'it was not sent everything');
    const { lines: sleeper } = await painted(asleep.bytes('screen', 'output'), 80, 24);
    const { lines: waker } = await painted(awake.bytes('screen', 'output'), 80, 24);
    t.same(sleeper, waker);
    awake.type('\n');
    t.match(await ended, { exitCode: 0 });
  },
);

t.test('a watcher with a plain terminal follows a flood of output without losing a byte', async (t) => {
  const { socket } = await serveCommand(t, 'read x; seq 1 200000; echo finished; read x');
  const watcher = await connectTo(t, socket, { op: 'watch', replay: 'none' });
  const attached = await connectTo(t, socket, { op: 'attach' });
  await watcher.frame('hello');
  attached.type('\n');
  await watcher.text('finished');
  if (watcher.all('screen').length === 0) {
    const expected = Array.from({ length: 200_000 }, (_, i) => `${i + 1}\r\n`).join('');
    t.ok(watcher.output.includes(expected));
  }
  t.match(watcher.output, /200000\r\nfinished/);
});

t.test('a client may ask for a fresh screen, with lines from above it', async (t) => {
  const { socket } = await serveCommand(t, 'seq 1 60; read x');
  const client = await connectTo(t, socket, { op: 'watch', scrollback: 100 });
  await client.text(/60\r\n/);
  client.send({ op: 'screen' });
  await client.until(() => client.all('screen').length === 2);
  t.match(Buffer.from(client.all('screen')[1]!.data_b64, 'base64').toString(), /\x1b\[2J1\r\n2\r\n3\r\n/);
});
