import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { testRoot } from '../support/root.ts';
import { TerminalSession } from '../support/terminal.ts';

function session(t: Test) {
  const place = testRoot(t);
  place.tool('show', 'for a in "$@"; do printf "<%s>" "$a"; done; echo');
  place.tool('ask', 'printf "name? "; read name; echo "hello $name"');
  place.tool('raw', 'test -t 0 && test -t 1 && stty -a | grep -o " icanon"; sleep 0.1');
  place.tool('wait', 'trap "echo caught; exit 9" INT; echo waiting; while :; do sleep 0.05; done');
  place.tool('bash', 'exec /bin/bash --norc --noprofile');
  const env = {
    CTX_ROOT: place.root,
    HOME: place.home,
    PATH: '/usr/bin:/bin',
    TERM: 'xterm',
    LANG: 'C.UTF-8',
  };
  return { place, env, tsh: new TerminalSession(t, [], env) };
}

t.test('lines with wide characters are edited and run', async (t) => {
  const { tsh } = session(t);
  await tsh.text('tsh> ');
  tsh.type('show 日本x\x7f é\n');
  await tsh.text('<日本><é>');
  await tsh.text('tsh> ');
  tsh.type('exit 4\n');
  t.equal(await tsh.ended, 4);
});

t.test('a tool has the terminal to itself, and the prompt comes back', async (t) => {
  const { tsh } = session(t);
  await tsh.text('tsh> ');
  tsh.type('ask\n');
  await tsh.text('name? ');
  tsh.type('world\n');
  await tsh.text('hello world');
  await tsh.text('tsh> ');
  tsh.type('raw\n');
  await tsh.text(' icanon');
  await tsh.text('tsh> ');
});

t.test('a shell inside is a real shell, and its exit comes back', async (t) => {
  const { tsh } = session(t);
  await tsh.text('tsh> ');
  tsh.type('bash\n');
  await tsh.text('bash-');
  tsh.type('echo $((6*7)); exit\n');
  await tsh.text('42\r\n');
  await tsh.text('tsh> ');
  tsh.type('type show\n');
  await tsh.text('show is ');
});

t.test(
  'Ctrl-C drops the line, and interrupts a tool but not tsh; Ctrl-D on an empty line leaves',
  async (t) => {
    const { tsh } = session(t);
    await tsh.text('tsh> ');
    tsh.type('show not this\x03');
    await tsh.text('^C');
    await tsh.text('tsh> ');
    tsh.type('wait\n');
    await tsh.text('waiting');
    tsh.type('\x03');
    await tsh.text('caught');
    await tsh.text('tsh> ');
    tsh.type('show still here\n');
    await tsh.text('<still><here>');
    await tsh.text('tsh> ');
    tsh.type('\x04');
    t.equal(await tsh.ended, 0);
  },
);

t.test('history is kept in the home and comes back with the arrow key', async (t) => {
  const { place, env, tsh } = session(t);
  await tsh.text('tsh> ');
  tsh.type('show first\n');
  await tsh.text('<first>');
  await tsh.text('tsh> ');
  tsh.type('exit\n');
  t.equal(await tsh.ended, 0);
  t.equal(readFileSync(`${place.home}/.tsh_history`, 'utf8'), 'show first\nexit\n');
  const again = new TerminalSession(t, [], env);
  await again.text('tsh> ');
  again.type('\x1b[A\x1b[A\n');
  await again.text('<first>');
  await again.text('tsh> ');
  again.type('history\n');
  await again.text('1  show first');
});

t.test('Tab completes builtins and tools', async (t) => {
  const { tsh } = session(t);
  await tsh.text('tsh> ');
  tsh.type('sho');
  await tsh.text('sho');
  tsh.type('\t');
  await tsh.text('w ');
  tsh.type('x y\n');
  await tsh.text('<x><y>');
  await tsh.text('tsh> ');
  tsh.type('hel');
  await tsh.text('hel');
  tsh.type('\t');
  await tsh.text('p ');
  tsh.type('tools\n');
  await tsh.text('tools [-l] [GROUP]');
});

t.test('several pasted lines are all run, in order', async (t) => {
  const { tsh } = session(t);
  await tsh.text('tsh> ');
  tsh.type('show one\nshow two\nshow three\n');
  for (const text of ['<one>', '<two>', '<three>']) await tsh.text(text);
});
