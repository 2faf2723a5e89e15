import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { type Frame, framesOf } from '../frames.ts';
import { checkout, runningPlace } from '../place.ts';
import { Screen } from '../screen.ts';
import { SocketClient } from '../socket.ts';
import { until } from '../until.ts';

const place = await runningPlace(t);
writeFileSync(`${place.workspace}/README.md`, 'read me\n');

/** `ctx agent watch` without a terminal, as long as the test goes on. */
function watching(t: Test, ...args: string[]) {
  const child = spawn(process.execPath, [`${checkout}/dist/bin/ctx`, 'agent', 'watch', 'coder', ...args], {
    env: place.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const seen = { out: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen.out += text;
  });
  t.teardown(() => void child.kill('SIGKILL'));
  return seen;
}

t.test('a person attaches, works in tsh, leaves, and finds the same screen again', async (t) => {
  const screen = await Screen.open(t, place);
  await screen.type('ctx agent attach coder', 'Enter');
  await screen.shows(/^tsh>$/m);
  await screen.type('tools', 'Enter');
  const tools = await screen.shows(/tsh\n/);
  for (const name of ['fs.list', 'fs.read', 'fs.stat']) t.match(tools, name);
  t.notMatch(tools, /fs\.write|shell\.exec|bash/, 'only what the agent may run');
  await screen.type('ls', 'Enter');
  await screen.shows(/^tsh: ls: command not found$/m);
  await screen.type('help', 'Enter');
  await screen.shows(/history/);
  await screen.type('fs.read README.md', 'Enter');
  await screen.shows(/read me/);
  await screen.type('fs.stat 中文', 'Enter');
  const before = await screen.shows(/fs\.stat 中文\n[\s\S]*ENOENT[\s\S]*tsh>$/);
  await screen.type('', 'C-\\', 'd');
  await screen.shows(/left; the terminal goes on\n\$$/);
  await screen.type('stty -a | grep -c "icanon iexten echo "', 'Enter');
  t.match(await screen.shows(/echo "\n\d\n\$$/), /\n1\n/, 'the terminal is as it was');
  await screen.type('clear; ctx agent attach coder', 'Enter');
  t.equal(await screen.shows(/fs\.stat 中文\n[\s\S]*tsh>$/), before);
  await screen.type('', 'C-\\', 'd');
  await screen.shows(/left; the terminal goes on\n\$$/);
});

t.test('programs of the host do not exist in tsh, and say so with 127', async (t) => {
  const screen = await Screen.open(t, place);
  await screen.type('ctx agent attach coder', 'Enter');
  await screen.shows(/tsh>$/);
  for (const command of ['ls', 'bash', '/bin/sh', './x', 'cat /etc/passwd']) {
    await screen.type(command, 'Enter');
    const name = command.split(' ')[0]!;
    const line = name.includes('/') ? `EACCES: ${name}: only tools are run` : `${name}: command not found`;
    await screen.shows(new RegExp(`^tsh: ${line}.*\\ntsh>$`, 'm'));
  }
  await screen.type('', 'C-\\', 'd');
  await screen.shows(/left/);
  const { out } = await place.ctx(['agent', 'send', 'coder', '!tsh ls']);
  t.match(out, /ls: command not found/);
  const raw = new SocketClient(t, `${place.runtime}/agent/coder.sock`);
  raw.ask({ op: 'tsh', id: 'none', session: 'default', args: ['ls'] });
  const result = await raw.frame(({ type }) => type === 'tool_result');
  t.match(result, { status: 'error', content: /command not found/ });
});

t.test('a watcher sees what happens and changes nothing', async (t) => {
  const bytes = watching(t);
  const frames = watching(t, '--json');
  const watcher = await Screen.open(t, place);
  await watcher.type('ctx agent watch coder', 'Enter');
  await watcher.shows(/tsh>$/);
  const typist = await Screen.open(t, place);
  await typist.type('ctx agent attach coder', 'Enter');
  await typist.shows(/tsh>$/);
  await watcher.type('evil', 'Enter');
  await typist.type('find nothing-like-this', 'Enter');
  const seen = await watcher.shows(/find nothing-like-this\n[\s\S]*tsh>$/);
  t.notMatch(seen, 'evil');
  await until('the bytes', () => bytes.out.includes('nothing-like-this'));
  const text = () =>
    framesOf(frames.out.slice(0, frames.out.lastIndexOf('\n') + 1))
      .map(({ data_b64 }) => Buffer.from(String(data_b64 ?? ''), 'base64').toString())
      .join('');
  await until('the frames', () => text().includes('nothing-like-this'));
  const all = framesOf(frames.out.slice(0, frames.out.lastIndexOf('\n') + 1));
  t.match(all[0], { type: 'hello', mode: 'watch', schema: 'cortexfs.terminal/v1' });
  t.equal(all[1]?.type, 'screen');
  const order = all.filter(({ type }) => type === 'output').map(({ seq }) => Number(seq));
  t.strictSame(
    order,
    [...order].sort((a, b) => a - b),
  );
  t.notMatch(bytes.out, 'evil');
  await watcher.type('q');
  await watcher.shows(/left; the terminal goes on\n\$$/);
  await typist.type('', 'C-\\', 'd');
  await typist.shows(/left/);
});

t.test('a watcher that sends frames of its own is refused each of them', async (t) => {
  const raw = new SocketClient(t, `${place.runtime}/terminal/coder/default/main.sock`);
  raw.ask({ op: 'watch' });
  const hello = await raw.frame(({ type }) => type === 'hello');
  const errors = () => raw.frames.filter(({ type }: Frame) => type === 'error');
  const requests = [
    { op: 'input', data_b64: Buffer.from('exit\r').toString('base64') },
    { op: 'resize', cols: 10, rows: 10 },
    { op: 'signal', name: 'KILL' },
  ];
  for (const request of requests) raw.ask(request);
  raw.ask({ op: 'ping' });
  await raw.frame(({ type }) => type === 'pong');
  t.match(
    errors(),
    requests.map(() => ({ code: 'EACCES' })),
  );
  const again = new SocketClient(t, `${place.runtime}/terminal/coder/default/main.sock`);
  again.ask({ op: 'watch' });
  const { cols, rows } = await again.frame(({ type }) => type === 'hello');
  t.strictSame([cols, rows], [hello.cols, hello.rows]);
});

t.test('exit in tsh ends the terminal, and whoever is there learns it', async (t) => {
  const screen = await Screen.open(t, place);
  await screen.type('ctx agent attach coder', 'Enter');
  await screen.shows(/tsh>$/);
  await screen.type('exit 3', 'Enter');
  await screen.shows(/the terminal's program ended \(3\)\nhint: ctx agent start coder opens a new one\n\$$/);
  t.match(await place.must(t, ['terminal', 'status', 'coder']), /^state {4}exited \(3\)$/m);
  const [terminal] = JSON.parse(await place.must(t, ['terminal', 'list', '--json']));
  t.match(terminal, { id: 'terminal-coder-default', agent: 'coder', session: 'default', state: 'exited' });
  t.match(await place.must(t, ['terminal', 'create', 'coder']), /coder is ready/);
  t.match(await place.must(t, ['terminal', 'list']), /^terminal-coder-default +running /);
  t.match(await place.must(t, ['agent', 'status', 'coder']), /terminal of session "default"/);
});
