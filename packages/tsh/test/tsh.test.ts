import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { joinWords } from '@cortexfs/abi/command-words';
import fc from 'fast-check';
import t from 'tap';
import { type TestRoot, testRoot } from './support/root.ts';
import { runTsh } from './support/run.ts';

const showArgs = 'for a in "$@"; do printf "<%s>" "$a"; done; echo';

function person({ root, home }: TestRoot): NodeJS.ProcessEnv {
  return { CTX_ROOT: root, HOME: home, PATH: '/usr/bin:/bin', XDG_RUNTIME_DIR: home };
}

t.test('help and version need no mount', async (t) => {
  const env = { CTX_ROOT: '/nonexistent' };
  t.match(await runTsh(['--help'], { env }), { code: 0, out: /^Usage: tsh/ });
  t.match(await runTsh(['--version'], { env }), { code: 0, out: 'tsh 0.1.7\n' });
  t.match(await runTsh(['--list'], { env }), { code: 69, err: /^tsh: ENOTCONN: .*\nhint: ctx mount\n$/ });
  t.match(await runTsh(['--nonsense'], { env }), { code: 2, err: /unknown option --nonsense/ });
});

t.test('--list names the tools, with --json as JSON', async (t) => {
  const place = testRoot(t);
  place.tool('b', 'true', { schema: '{"type":"object"}\n' });
  place.tool('a', 'true');
  const env = person(place);
  t.match(await runTsh(['--list'], { env }), { code: 0, out: 'a\nb\n' });
  const { out } = await runTsh(['--list', '--json'], { env });
  t.match(JSON.parse(out), [
    { name: 'a', description: 'About a.' },
    { name: 'b', path: `${place.root}/tool/b`, schema: '{"type":"object"}' },
  ]);
});

t.test('a tool gets exactly its arguments, standard streams and exit code', async (t) => {
  const place = testRoot(t);
  place.tool('show', `${showArgs}; cat; echo complaint >&2; exit 7`);
  const words = ['', 'a b', '"', "'", '\\', '$HOME', '*', '日本', '-n', '--', 'new\nline'];
  t.same(await runTsh(['show', ...words], { env: person(place), input: 'given' }), {
    code: 7,
    out: `${words.map((word) => `<${word}>`).join('')}\ngiven`,
    err: 'complaint\n',
  });
});

t.test('a signal that ends a tool is 128 and its number', async (t) => {
  const place = testRoot(t);
  place.tool('die', 'kill -TERM $$');
  t.match(await runTsh(['die'], { env: person(place) }), { code: 143 });
});

t.test('unknown commands are 127 with the nearest name; paths are 13; misuse is 2', async (t) => {
  const place = testRoot(t);
  place.tool('fs.list', 'true');
  const env = person(place);
  t.match(await runTsh(['fs.lst'], { env }), {
    code: 127,
    err: 'tsh: fs.lst: command not found\nhint: did you mean fs.list?\n',
  });
  t.match(await runTsh(['ls'], { env }), { code: 127, err: 'tsh: ls: command not found\n' });
  t.match(await runTsh(['/bin/ls'], { env }), { code: 13, err: /^tsh: EACCES: \/bin\/ls/ });
  t.match(await runTsh(['which'], { env }), { code: 2, err: /usage: which NAME…/ });
  t.match(await runTsh(['exit', '3'], { env }), { code: 3 });
});

t.test(
  'lines of standard input run one after the other; what is left of it belongs to the tool',
  async (t) => {
    const place = testRoot(t);
    place.tool('show', showArgs);
    place.tool('rest', 'cat');
    const input = `# a comment\n\nshow 'one word' two\\ words "three \\" words" $HOME\nnope\ntype show help\nrest\nshow not a command\n`;
    const ran = await runTsh([], { env: person(place), input });
    t.equal(
      ran.out,
      `<one word><two words><three " words><$HOME>\nshow is ${place.root}/tool/show\nhelp is a builtin\nshow not a command\n`,
    );
    t.equal(ran.err, 'tsh: nope: command not found\n');
    t.equal(ran.code, 0);
    t.match(await runTsh([], { env: person(place), input: 'show "open\n' }), { code: 2, err: /quote/ });
    t.match(await runTsh([], { env: person(place), input: 'nope\nexit\nshow x' }), { code: 127, out: '' });
  },
);

t.test('any words survive quoting and the way to a tool', async (t) => {
  const place = testRoot(t);
  place.tool('show', showArgs);
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !/[\0\n]/.test(text));
  const lines = fc.sample(fc.array(word, { minLength: 1 }), { numRuns: 60, seed: 7 });
  const input = lines.map((words) => `${joinWords(['show', ...words])}\n`).join('');
  const { out } = await runTsh([], { env: person(place), input });
  t.equal(out, lines.map((words) => `${words.map((text) => `<${text}>`).join('')}\n`).join(''));
});

t.test("inside an agent the environment is the terminal's, whatever the caller adds", async (t) => {
  const place = testRoot(t);
  place.tool('env', '/usr/bin/env');
  place.agent('coder', { policy: 'allow coder_t tool:env execute\n' });
  const hostile = { BASH_ENV: '/x', LD_LIBRARY_PATH: '/x', GIT_DIR: '/x', PATH: '/x', SECRET: 'x' };
  const { out, code } = await runTsh(['env'], { env: place.agentEnv('coder', hostile) });
  t.equal(code, 0);
  t.match(out, /^PATH=\/usr\/bin:\/bin$/m);
  t.notMatch(out, /BASH_ENV|LD_LIBRARY_PATH|GIT_DIR|SECRET/);
});

t.test('an agent is told which layer refuses', async (t) => {
  const place = testRoot(t);
  place.tool('fs.write', 'true');
  place.agent('coder');
  const env = place.agentEnv('coder');
  const message = 'tsh: EACCES: tool/fs.write: agent policy has no "allow coder_t tool:fs.write execute"\n';
  t.same(await runTsh(['fs.write'], { env }), { code: 13, out: '', err: message });
  t.same(await runTsh(['command', 'fs.write'], { env }), { code: 13, out: '', err: message });
  for (const path of ['', ':', 'tool', `${place.root}/tool::`]) {
    t.match(await runTsh(['fs.write'], { env: { ...env, CTX_PATH: path } }), { code: 2, err: /CTX_PATH/ });
  }
  t.match(await runTsh(['fs.write'], { env: { ...env, CTX_PATH: place.home } }), {
    code: 13,
    err: /"path" control/,
  });
});

const frames = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

t.test('--frames wraps a tool that speaks frames, one that does not, and a builtin', async (t) => {
  const place = testRoot(t);
  const speak = (type: string, rest = '') => `echo '{"type":"${type}","run":"inner"${rest}}'`;
  place.tool(
    'speaks',
    [
      speak('start'),
      speak('message', ',"content":[{"type":"text","text":"result"}]'),
      speak('done', ',"status":"ok"'),
    ].join('; '),
  );
  place.tool(
    'refuses',
    `${[speak('start'), speak('error', ',"code":"EISDIR","message":"is a directory"'), speak('done', ',"status":"error"')].join('; ')}; exit 1`,
  );
  place.tool('plain', 'echo raw 日本; echo noise >&2');
  const env = { ...person(place), CTX_RUN_ID: 'run-1' };
  const run = { run: 'run-1' };
  for (const [words, text] of [
    [['speaks'], 'result'],
    [['plain'], 'raw 日本\n'],
    [['tools'], 'plain\nrefuses\nspeaks\n'],
  ] as const) {
    const ran = await runTsh(['--frames', ...words], { env });
    t.equal(ran.code, 0);
    t.same(frames(ran.out), [
      { type: 'start', ...run },
      { type: 'message', ...run, content: [{ type: 'text', text }] },
      { type: 'done', ...run, status: 'ok' },
    ]);
  }
  const refused = await runTsh(['--frames', 'refuses'], { env });
  t.equal(refused.code, 1);
  t.match(frames(refused.out), [
    { type: 'start' },
    { type: 'error', code: 'EISDIR', message: 'is a directory' },
    { type: 'done', status: 'error' },
  ]);
});

t.test('--frames tells every failure as an error frame, with the exit code', async (t) => {
  const place = testRoot(t);
  place.tool('fails', 'echo partial; echo reason >&2; exit 69');
  const env = person(place);
  const ran = async (args: string[], input = '') => {
    const { code, out } = await runTsh(['--frames', ...args], { env, input });
    return { code, error: frames(out).find(({ type }) => type === 'error'), last: frames(out).at(-1).status };
  };
  t.match(await ran(['nope']), {
    code: 127,
    error: { code: 'ENOENT', message: 'nope: command not found' },
    last: 'error',
  });
  t.match(await ran(['/bin/sh']), { code: 13, error: { code: 'EACCES' } });
  t.match(await ran(['fails']), { code: 69, error: { code: 'EHOSTDOWN', message: 'reason' } });
  t.match(await ran(['which']), { code: 2, error: { code: 'EINVAL' } });
  t.match(await ran([], 'nonsense'), { code: 2, error: { code: 'EINVAL' } });
  t.match(await ran([], '{"args":[]}'), { code: 2, error: { code: 'EINVAL' } });
  t.match(await ran([], '{"args":["x"],"more":1}'), { code: 2, error: { code: 'EINVAL' } });
  t.match(await ran(['--root', '/tmp', 'tools']), { code: 127 }, 'words of a model are never options');
});

t.test('--frames reads its words from standard input, and long output comes as deltas', async (t) => {
  const place = testRoot(t);
  place.tool('long', 'head -c 3000000 /dev/zero | tr "\\0" x');
  const { out, code } = await runTsh(['--frames'], { env: person(place), input: '{"args":["long"]}' });
  t.equal(code, 0);
  const deltas = frames(out).filter(({ type }) => type === 'delta');
  t.equal(deltas.map(({ text }) => text).join('').length, 3_000_000);
});

t.test('load, pin, loads and pins keep a context per session in the home', async (t) => {
  const place = testRoot(t);
  for (const name of ['a', 'b', 'c']) place.tool(name, 'true');
  const env = person(place);
  const tsh = async (line: string, more = {}) => await runTsh(line.split(' '), { env: { ...env, ...more } });
  t.match(await tsh('load a b'), { code: 0, err: '' });
  t.match(await tsh('pin c'), { code: 0 });
  t.equal((await tsh('loads')).out, 'a  About a.\nb  About b.\nc  About c.\n');
  t.equal((await tsh('pins')).out, 'c  About c.\n');
  t.equal((await tsh('loads', { CTX_SESSION: 'other' })).out, '');
  t.match(await tsh('load a nope'), { code: 127 });
  t.match(await tsh('unload b c'), { code: 0 });
  t.match(await tsh('unload b'), { code: 1, err: /not loaded/ });
  t.equal((await tsh('loads')).out, 'a  About a.\n');
  const file = `${place.home}/.tsh/context/default.json`;
  t.equal(statSync(file).mode & 0o777, 0o600);
  writeFileSync(file, 'damaged');
  t.match(await tsh('loads'), { code: 0, out: '' });
  place.write('tool/tsh.d/config', 'max_loaded_tools=1\n');
  t.match(await tsh('load a'), { code: 0 });
  t.match(await tsh('load b'), { code: 0, err: 'tsh: no longer loaded: a\n' });
  t.match(JSON.parse(readFileSync(file, 'utf8')), { window: ['b'] });
});

t.test('loading grants nothing: a tool that became forbidden is no longer shown', async (t) => {
  const place = testRoot(t);
  place.tool('good', 'true');
  place.agent('coder', { policy: 'allow coder_t tool:good execute\n' });
  const env = place.agentEnv('coder');
  t.match(await runTsh(['pin', 'good'], { env }), { code: 0 });
  t.match((await runTsh(['loads'], { env })).out, 'good');
  place.agent('coder', { policy: '' });
  t.equal((await runTsh(['loads'], { env })).out, '');
  t.match(await runTsh(['good'], { env }), { code: 13 });
});
