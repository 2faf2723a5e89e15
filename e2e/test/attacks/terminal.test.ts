import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import t, { type Test } from 'tap';
import { TestTerminal } from '../../../setup/test-terminal.ts';
import { checkout, shellPlace } from '../../place.ts';
import { SocketClient } from '../../socket.ts';
import { until } from '../../until.ts';

const CLIPBOARD = '\x1b]52;c;ZXZpbA==\x07';

const place = await shellPlace(t);
const socket = `${place.runtime}/terminal/coder/default/main.sock`;
writeFileSync(`${place.workspace}/escapes`, `before${CLIPBOARD}after\n`);

/** Types a command line into the agent's terminal, where it runs in the sandbox. */
async function typed(t: Test, cmd: string): Promise<void> {
  const client = new SocketClient(t, socket);
  client.ask({ op: 'attach', cols: 200, rows: 50 });
  await client.frame(({ type }) => type === 'screen');
  const line = `shell.exec ${JSON.stringify(JSON.stringify({ cmd }))}\r`;
  client.ask({ op: 'input', data_b64: Buffer.from(line).toString('base64') });
}

/** What ctx writes on a terminal, at least until it has written `last`. */
async function onTerminal(t: Test, command: string, last: string): Promise<string> {
  const script = `exec ${process.execPath} ${checkout}/dist/bin/ctx ${command}`;
  const terminal = new TestTerminal(t, ['/bin/sh', '-c', script], { env: place.env, cwd: place.workspace });
  await terminal.shows(last);
  return terminal.screen;
}

t.test(
  'what an agent names and writes does not reach a person’s terminal as control sequences',
  async (t) => {
    const cmd = `cd /home/agent; touch "$(printf 'name\\033]52;c;ZXZpbA==\\007end')"; cp /workspace/escapes .; ls`;
    const send = await place.must(t, [
      'agent',
      'send',
      'coder',
      `!call shell.exec ${JSON.stringify({ cmd })}`,
    ]);
    t.match(send, 'escapes');
    const home = `home/${process.getuid!()}/agent/coder`;
    for (const [command, expected] of [
      [`ls ${home}`, 'nameend'],
      [`ls -l ${home}`, 'nameend'],
      [`cat ${home}/escapes`, 'beforeafter'],
      [`agent send coder '!call fs.read {"path":"/workspace/escapes"}'`, 'beforeafter'],
    ] as const) {
      const out = await onTerminal(t, command, expected);
      t.notMatch(out, '\x1b]52', command);
    }
    t.match(
      await place.must(t, ['cat', `${home}/escapes`]),
      CLIPBOARD,
      'in a pipe the bytes are what they are',
    );
  },
);

t.test('a program in the terminal that serves the socket itself', async (t) => {
  const fake = `
    const fs = require('fs'), net = require('net');
    fs.renameSync('/run/cortexfs/terminal/socket/main.sock', '/run/cortexfs/terminal/socket/real.sock');
    net.createServer((s) => {
      s.on('error', () => {});
      s.write(JSON.stringify({ type: 'hello', schema: 'cortexfs.terminal/v1', terminal: 'terminal-coder-default', mode: 'watch', seq: 1, cols: 80, rows: 24 }) + '\\n');
      s.write(JSON.stringify({ type: 'output', seq: 2, data_b64: Buffer.from('fake \\u001b]52;c;ZXZpbA==\\u0007\\u001b[c shown').toString('base64') }) + '\\n');
    }).listen('/run/cortexfs/terminal/socket/main.sock');`;
  writeFileSync(`${place.workspace}/fake.cjs`, fake);
  await typed(t, 'node /workspace/fake.cjs');
  await until('the fake', () => existsSync(socket.replace('main', 'real')) && existsSync(socket));
  for (const input of ['', '</dev/null']) {
    const out = await onTerminal(t, `agent watch coder ${input}`, 'shown');
    t.match(out, 'fake', `it is shown ${input}`);
    t.notMatch(out, '\x1b]52', 'without the clipboard');
    t.notMatch(out, '\x1b[c', 'and nothing that makes a terminal answer');
  }
  const piped = spawn(process.execPath, [`${checkout}/dist/bin/ctx`, 'agent', 'watch', 'coder'], {
    env: place.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => void piped.kill('SIGKILL'));
  let out = '';
  piped.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await until('what it shows', () => out.includes('shown'));
  t.match(out, 'fake', 'nor in a pipe, which may end on a terminal');
  t.notMatch(out, '\x1b]52');
  await place.must(t, ['agent', 'stop', 'coder']);
  await place.must(t, ['agent', 'start', 'coder']);
  const client = new SocketClient(t, socket);
  client.ask({ op: 'watch' });
  t.match(
    await client.frame(({ type }) => type === 'hello'),
    { mode: 'watch' },
    'the next start is whole again',
  );
});

t.test('a link in place of the socket does not send the person’s keys elsewhere', async (t) => {
  const victim = `${place.runtime}/victim.sock`;
  let connections = 0;
  const server = createServer((s) => {
    connections++;
    s.destroy();
  }).listen(victim);
  t.teardown(() => server.close());
  await typed(t, 'cd /run/cortexfs/terminal/socket && rm main.sock && ln -s ../../../victim.sock main.sock');
  const { code, err } = await until('the link', async () => {
    const watch = await place.ctx(['agent', 'watch', 'coder'], { kill: { after: 2000, signal: 'SIGKILL' } });
    return watch.code !== null && watch;
  });
  t.equal(connections, 0);
  t.not(code, 0);
  t.match(err, /ELOOP: .*main\.sock: a symbolic link stands where the socket was/);
  await place.must(t, ['agent', 'stop', 'coder']);
  await place.must(t, ['agent', 'start', 'coder']);
  const child = spawn(process.execPath, [`${checkout}/dist/bin/ctx`, 'agent', 'watch', 'coder'], {
    env: place.env,
  });
  t.teardown(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await until('the prompt', () => out.includes('tsh>'));
  t.match(readFileSync(`${place.runtime}/launch/coder/terminal-default.json`, 'utf8'), '"role":"terminal"');
});
