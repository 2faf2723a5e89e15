import { createHash } from 'node:crypto';
import { appendFileSync, copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { framesOf, typesOf } from '../frames.ts';
import { checkout, run, runningPlace } from '../place.ts';
import { installed } from '../plugin.ts';
import { Session } from '../session.ts';

/** In every artifact, so that whoever finds it has read one. */
const MARK = 'bytes-of-a-plugin';
const python = `#!/usr/bin/env python3
# ${MARK}
import json, os, sys
text = sys.argv[1] if len(sys.argv) > 1 else json.load(sys.stdin)["text"]
run = os.environ["CTX_RUN_ID"]
for frame in ({"type": "start"}, {"type": "message", "content": [{"type": "text", "text": "python " + text}]}, {"type": "done", "status": "ok"}):
    print(json.dumps({**frame, "run": run}))
`;
const sh = `#!/bin/sh
# ${MARK}
text=\${1-$(sed 's/.*"text":"\\([^"]*\\)".*/\\1/')}
for frame in '"type":"start"' '"type":"message","content":[{"type":"text","text":"sh '"$text"'"}]' '"type":"done","status":"ok"'; do
  printf '{%s,"run":"%s"}\\n' "$frame" "$CTX_RUN_ID"
done
`;
const node = `#!/usr/bin/env node
// ${MARK}
import { readFileSync } from 'node:fs';
const text = process.argv[2] ?? JSON.parse(readFileSync(0, 'utf8')).text;
const run = process.env.CTX_RUN_ID;
for (const frame of [{ type: 'start' }, { type: 'message', content: [{ type: 'text', text: 'node ' + text }] }, { type: 'done', status: 'ok' }])
  console.log(JSON.stringify({ ...frame, run }));
`;
/** Answers, or asks for one tool call and answers with what came of it. */
const agent = `#!/usr/bin/env node
// ${MARK}
const invocation = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const { run, step, input, observation } = invocation;
const say = (text) => console.log(JSON.stringify({ type: 'message', run, role: 'assistant', content: [{ type: 'text', text }] }));
if (step === 0 && input === 'call') console.log(JSON.stringify({ type: 'tool_call', run, id: 'call-1', name: 'example.sh', arguments: { text: 'from a plugin' } }));
else say(step === 0 ? 'heard ' + input : 'step ' + step + ': ' + observation.status + ' ' + observation.content);
`;
const TOOLS = { python, sh, node } as const;

// The sandbox of coder is there before any of the plugins is.
const place = await runningPlace(t);
const uid = process.getuid!();
const session = new Session(place);
const send = (text: string) => place.ctx(['agent', 'send', 'coder', text]);
const program = (path: string, ...args: string[]) =>
  run(`${place.root}/${path}`, args, { env: place.env, cwd: place.workspace });

function controls(name: string): Record<string, string> {
  return {
    description: 'Says what it is given.\n',
    schema: '{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}\n',
    cap: '',
    policy: `allow coder_t tool:${name} execute\nallow echoer_t tool:${name} execute\n`,
  };
}

/** An installed tool that coder may call: `path` is `tool/NAME` or `home/UID/tool/NAME`. */
async function toolFor(t: Test, path: string, artifact: string | Uint8Array): Promise<string> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  installed(place.store, path, artifact, controls(name));
  await place.must(t, ['append', 'agent/coder.d/policy', `allow coder_t tool:${name} execute`]);
  await place.must(t, ['append', 'agent/coder.d/tools', name]);
  return name;
}

for (const [language, source] of Object.entries(TOOLS)) {
  t.test(`an installed tool in ${language} runs on the host and in a sandbox`, async (t) => {
    const name = await toolFor(t, `tool/example.${language}`, source);
    const host = await program(`tool/${name}`, 'on the host');
    t.match({ code: host.code, err: host.err }, { code: 0, err: '' });
    t.match(framesOf(host.out), [
      {},
      { content: [{ text: `${language} on the host` }] },
      { type: 'done', status: 'ok' },
    ]);
    // Each way into a sandbox with each kind of first line; the examples below take the other ways.
    if (language === 'sh') t.match(await send(`!tsh ${name} "from tsh"`), { code: 0, out: /sh from tsh/ });
    else
      t.match(await send(`!call ${name} {"text":"in a sandbox"}`), {
        code: 0,
        out: `${language} in a sandbox\n`,
      });
  });
}

t.test('an installed ELF program runs on the host and in a sandbox', async (t) => {
  const name = await toolFor(t, 'tool/example.elf', readFileSync('/usr/bin/printf'));
  t.match(await program(`tool/${name}`, '%s-%s', 'a b', 'c'), { code: 0, out: 'a b-c' });
  t.match(await send(`!tsh ${name} "%s in it" elf`), { code: 0, out: /elf in it/ });
});

t.test('an installed tool of the user tier runs where the agent has it in its path', async (t) => {
  const name = await toolFor(t, `home/${uid}/tool/example.own`, sh);
  await place.must(t, ['append', 'agent/coder.d/path', `/ctx/home/${uid}/tool`]);
  t.match((await program(`home/${uid}/tool/${name}`, 'mine')).out, /sh mine/);
  t.match(await send(`!call ${name} {"text":"mine"}`), { code: 0, out: 'sh mine\n' });
});

t.test('reading never yields the bytes of a plugin, on the host and in a sandbox', async (t) => {
  const found = await run('/bin/grep', ['-rl', MARK, `${place.root}/tool`, `${place.root}/home/${uid}/tool`]);
  t.match(found, { code: 1, out: '' });
  t.match(
    readFileSync(`${place.root}/tool/example.sh`, 'utf8'),
    /^#!.*cortexfs-object-runner\n# cortexfs\.object=tool\n# cortexfs\.name=example\.sh\n$/,
  );
  await place.must(t, ['append', 'agent/coder.d/tools', 'shell.exec']);
  await place.must(t, ['append', 'agent/coder.d/policy', 'allow coder_t tool:shell.exec execute']);
  await place.must(t, ['append', 'tool/shell.exec.d/policy', 'allow coder_t tool:shell.exec execute']);
  const cmd = `grep -rl ${MARK} /ctx/tool /ctx/home; ls -a /ctx /ctx/tool; head -1 /ctx/tool/example.python`;
  const { out } = await send(`!call shell.exec ${JSON.stringify({ cmd })}`);
  t.match(out, /example\.sh.*cortexfs-object-runner/s);
  t.notMatch(out, /\n\.exec|receipt|\/ctx\/tool\/example/);
});

t.test('a tool that the policy does not name is not there to be executed', async (t) => {
  installed(place.store, 'tool/example.secret', sh, controls('example.secret'));
  const cmd = '/ctx/tool/example.secret x; /ctx/tool/.exec/example.secret x; echo $?';
  const { out } = await send(`!call shell.exec ${JSON.stringify({ cmd })}`);
  t.match(out, '127');
  t.notMatch(out, 'sh x');
  t.match((await send('!call example.secret {"text":"x"}')).out, /EACCES: tool\/example\.secret: /);
});

t.test('a changed artifact is refused with EACCES, and events and logs say so', async (t) => {
  const whole = readFileSync(`${place.store}/tool/example.sh`);
  appendFileSync(`${place.store}/tool/example.sh`, 'echo more\n');
  const host = await program('tool/example.sh', 'x');
  t.equal(host.code, 13);
  t.match(framesOf(host.out), [
    { type: 'start' },
    { type: 'error', code: 'EACCES', path: 'tool/example.sh', hint: /tool\/example\.sh\.d\/log/ },
    { type: 'done', status: 'error' },
  ]);
  t.match(
    (await send('!call example.sh {"text":"x"}')).out,
    /EACCES: tool\/example\.sh: it is not what was installed/,
  );
  t.match(
    session.lastRun().find(({ type }) => type === 'tool_result'),
    { name: 'example.sh', status: 'error', code: 'EACCES' },
  );
  const why =
    /refused to execute: EACCES: tool\/example\.sh: its executable has changed: SHA-256 [0-9a-f]{64}, installed was/;
  t.match(await place.must(t, ['cat', 'tool/example.sh.d/log']), why);
  t.match(readFileSync(`${place.runtime}/log/mount.log`, 'utf8'), why);
  writeFileSync(`${place.store}/tool/example.sh`, whole);
  t.match(await send('!call example.sh {"text":"again"}'), { code: 0, out: 'sh again\n' });
});

t.test('an artifact put in the place of another is refused', async (t) => {
  copyFileSync('/bin/true', `${place.store}/tool/.new`);
  const moved = await run('/bin/mv', [`${place.store}/tool/.new`, `${place.store}/tool/example.elf`]);
  t.equal(moved.code, 0);
  t.equal((await program('tool/example.elf')).code, 13);
});

t.test('an installed agent runs in steps, with tool calls of its own', async (t) => {
  const own: Record<string, string> = {};
  for (const name of [
    'owner',
    'uid',
    'gid',
    'groups',
    'iso',
    'parent',
    'life',
    'root',
    'cwd',
    'env',
    'path',
    'mount',
    'model',
    'abi',
  ])
    own[name] = readFileSync(`${place.store}/agent/coder.d/${name}`, 'utf8');
  installed(place.store, 'agent/echoer', agent, {
    ...own,
    label: 'user_u:agent_r:echoer_t:s0\n',
    window: 'auto\n',
    tools: 'example.sh\n',
    policy:
      'allow echoer_t tool:example.sh execute\nallow echoer_t model:main use\nallow echoer_t session:default write\nallow echoer_t session:default read\n',
  });
  await place.must(t, ['agent', 'start', 'echoer', '--workspace', place.workspace]);
  const ask = (text: string) => place.ctx(['agent', 'send', 'echoer', text]);
  t.match(await ask('hello'), { code: 0, out: 'heard hello\n' });
  t.match(await ask('call'), { code: 0, out: 'step 1: ok sh from a plugin\n' });
  t.strictSame(typesOf(new Session(place, 'echoer').lastRun()), [
    'start',
    'tool_call',
    'tool_result',
    'message',
    'done',
  ]);
  t.match(await place.must(t, ['cat', 'agent/echoer']), /cortexfs\.object=agent/);
  appendFileSync(`${place.store}/agent/echoer`, '// changed\n');
  const refused = await ask('hello');
  t.equal(refused.code, 13);
  t.match(refused.err, /EACCES: agent\/echoer: .*\nhint: agent\/echoer\.d\/log/);
  t.match(
    await place.must(t, ['cat', 'agent/echoer.d/log']),
    /refused to execute: EACCES: agent\/echoer: its executable has changed/,
  );
  await place.must(t, ['agent', 'stop', 'echoer']);
});

t.test(
  'the examples, installed by ctx object, run for an agent and as one; a new version is there at once',
  async (t) => {
    const example = (name: string) => join(checkout, 'examples', name);
    const install = (manifest: string) =>
      place.must(t, ['object', 'install', manifest, '--source', place.store, '--tier', 'system']);
    for (const name of ['words', 'shout', 'sum']) {
      await install(join(example(name), 'object.json'));
      await place.must(t, ['append', 'agent/coder.d/policy', `allow coder_t tool:example.${name} execute`]);
      await place.must(t, ['append', 'agent/coder.d/tools', `example.${name}`]);
    }
    t.match(await send('!call example.shout {"text":"hello"}'), { code: 0, out: 'HELLO\n' });
    t.match(await send('!call example.sum {"numbers":[1,2]}'), { code: 0, out: /"sum": 3/ });
    t.match(await send('!call example.words {"text":"a bc"}'), { code: 0, out: /"words":2/ });

    // The manifest of the agent names its owner, which is whoever installs it.
    const folder = join(place.folder, 'counter');
    cpSync(example('counter'), folder, { recursive: true });
    const manifest = join(folder, 'object.json');
    writeFileSync(
      manifest,
      readFileSync(manifest, 'utf8').replaceAll('"1000\\n"', `"${uid}\\n"`).replaceAll('/1000/', `/${uid}/`),
    );
    await install(manifest);
    await place.must(t, ['agent', 'start', 'counter', '--workspace', place.workspace]);
    t.match(await place.ctx(['agent', 'send', 'counter', 'how many words']), {
      code: 0,
      out: 'That is 3 words, the longest is "words".\n',
    });

    const next = join(place.folder, 'words');
    cpSync(example('words'), next, { recursive: true });
    const louder = readFileSync(join(next, 'words'), 'utf8').replace(
      'words: words.length',
      'count: words.length',
    );
    writeFileSync(join(next, 'words'), louder);
    const sha256 = createHash('sha256').update(louder).digest('hex');
    const newer = readFileSync(join(next, 'object.json'), 'utf8').replace(
      /"sha256": "[^"]*"/,
      `"sha256": "${sha256}"`,
    );
    writeFileSync(join(next, 'object.json'), newer.replace('"version": "0.1.0"', '"version": "0.2.0"'));
    const upgrade = [
      'object',
      'upgrade',
      join(next, 'object.json'),
      '--source',
      place.store,
      '--tier',
      'system',
    ];
    t.match(await place.must(t, upgrade), /^would upgrade tool\/example.words version 0.2.0/);
    t.match(await send('!call example.words {"text":"a bc"}'), { out: /"words":2/ });
    await place.must(t, [...upgrade, '--yes']);
    t.match(await send('!call example.words {"text":"a bc"}'), { out: /"count":2/ });
    await place.must(t, [
      'object',
      'uninstall',
      'tool',
      'example.words',
      '--source',
      place.store,
      '--tier',
      'system',
      '--yes',
    ]);
    t.match((await send('!call example.words {"text":"a bc"}')).out, /example\.words/);
    t.notOk(existsSync(`${place.root}/tool/example.words`));
  },
);
