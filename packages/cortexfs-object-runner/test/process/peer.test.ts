import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { TestTerminal } from '../../../../setup/test-terminal.ts';
import { installation } from '../installation.ts';
import { execute } from '../object-file.ts';

const tellArguments =
  'process.stdout.write(JSON.stringify(process.argv.slice(2)) + "\\n"); process.exitCode = 7;';

t.test(
  'tsh: words, a JSON argument and JSON on stdin reach the tool shell, whose exit code counts',
  async (t) => {
    const tsh = installation(t, { tsh: tellArguments })('tool', 'tsh');
    t.match(await execute(tsh, ['find', 'two words', '--', '{}']), {
      code: 7,
      stdout: '["--frames","find","two words","--","{}"]\n',
      stderr: '',
    });
    const json = '{"args":["fs.read","{\\"path\\":\\"x\\"}"]}';
    for (const outcome of [await execute(tsh, [json]), await execute(tsh, [], { input: `${json}\n` })]) {
      t.match(outcome, { code: 7, stdout: '["--frames","fs.read","{\\"path\\":\\"x\\"}"]\n' });
    }
  },
);

t.test('tsh: bad input and a missing tool shell are error frames', async (t) => {
  const alone = installation(t, {})('tool', 'tsh');
  const missing = await execute(alone, ['tools']);
  t.equal(missing.code, 1);
  t.match(missing.frames, [
    { type: 'start' },
    { type: 'error', code: 'ENOENT', hint: 'npm i -g @cortexfs/tsh' },
    { type: 'done', status: 'error' },
  ]);
  for (const input of ['', 'word', '{"args":[]}', '{"args":"x"}', '{"args":["x"],"root":"/"}']) {
    const { code, frames } = await execute(alone, [], { input });
    t.equal(code, 2, input);
    t.match(frames, [
      { type: 'start' },
      { type: 'error', code: 'EINVAL' },
      { type: 'done', status: 'error' },
    ]);
  }
});

t.test('an agent executed on a terminal opens its chat, which gets the terminal and the keys', async (t) => {
  const chat = `
    process.on('SIGINT', () => { process.stdout.write('interrupted\\n'); process.exit(9); });
    process.stdout.write(JSON.stringify([process.argv.slice(2), process.stdin.isTTY]) + '\\n');
    process.stdin.resume();`;
  const agent = installation(t, { 'ctx-cli': chat })('agent', 'coder');
  const terminal = new TestTerminal(t, [agent]);
  await terminal.shows('[["agent","chat","coder"],true]');
  terminal.type('\x03');
  await terminal.shows('interrupted');
  t.equal(await terminal.ended, 9, 'the exit code is that of the chat');
});

t.test('without ctx beside it an agent on a terminal says what to install', async (t) => {
  const agent = installation(t, {})('agent', 'coder');
  const terminal = new TestTerminal(t, [agent]);
  await terminal.shows('\r\nhint: npm i -g @cortexfs/ctx-cli');
  t.match(terminal.screen, /ENOENT: /);
  t.equal(await terminal.ended, 1);
});

t.test('a terminal program gets standard input and its arguments as they are', async (t) => {
  const bash = installation(t, {})('tool', 'bash');
  t.match(
    await execute(bash, ['-c', 'read line; echo "$line $1"; exit 5', 'x', 'a  b'], { input: 'typed\n' }),
    {
      code: 5,
      stdout: 'typed a  b\n',
    },
  );
});

t.test('a program that a signal ends gives 128 and its number; SIGTERM is passed on', async (t) => {
  const bash = installation(t, {})('tool', 'bash');
  t.match(await execute(bash, ['-c', 'kill -9 $$']), { code: 137 });
  const child = spawn(bash, ['-c', 'trap "exit 3" TERM; echo ready; while :; do sleep 0.05; done'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  t.equal(code, 3);
});
