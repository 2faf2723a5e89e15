import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHookFrame } from '@cortexfs/abi/frames/hook';
import { parseObjectName } from '@cortexfs/abi/names';
import t from 'tap';
import { readHookSet } from '../../src/serve/hooks/hook-set.ts';
import { CODER } from '../site.ts';
import { temporaryDirectory } from '../temporary.ts';
import { TestHost } from './host.ts';

t.test('the hooks of an object are its executable files, in byte order', (t) => {
  const store = temporaryDirectory(t);
  const put = (path: string, mode: number) => writeMode(join(store, path), mode);
  for (const name of ['9', '10-b', 'a', 'B']) put(`agent/coder.d/hooks/pre.d/${name}`, 0o755);
  put('agent/coder.d/hooks/pre.d/plain', 0o644);
  symlinkSync('/bin/true', join(store, 'agent/coder.d/hooks/pre.d/link'));
  put('agent/coder.d/hooks/pre.d/not a name', 0o755);
  mkdirSync(join(store, 'agent/coder.d/hooks/pre.d/directory'));
  put('agent/other.d/hooks/pre.d/x', 0o755);
  put('tool/fs.read.d/hooks/post.d/x', 0o755);
  put('home/7/tool/mine.d/hooks/pre.d/x', 0o755);
  const told: string[] = [];
  const hooks = readHookSet(store, CODER, 7, (line) => told.push(line));
  t.strictSame(hooks('agent/coder'), {
    pre: ['10-b', '9', 'B', 'a'].map((name) => `agent/coder.d/hooks/pre.d/${name}`),
    post: [],
  });
  t.match(told, [
    /directory is no hook: it is not a reg/,
    /link is no hook: .*symbolic/,
    /not a name/,
    /plain .* not executable/,
  ]);
  t.strictSame(hooks('tool/fs.read').post, ['tool/fs.read.d/hooks/post.d/x']);
  t.strictSame(hooks('home/7/tool/mine').pre, ['home/7/tool/mine.d/hooks/pre.d/x']);
  for (const none of ['agent/other', 'tool/none']) t.strictSame(hooks(none), { pre: [], post: [] }, none);
  t.strictSame(readHookSet(join(store, 'nowhere'), parseObjectName('x'), 7, () => {})('agent/x'), {
    pre: [],
    post: [],
  });
  t.end();
});

function writeMode(path: string, mode: number): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, mode);
}

/** Notes what it was told, then does what the file below the workspace of its name says. */
const HOOK = `#!/bin/sh
name=$(echo "$0" | sed 's,/ctx/,,; s,/,_,g')
cat >> "/workspace/$name.told"
echo "$name" >> /workspace/order
echo "$CTX_RUN_ID $CTX_AGENT $PWD" > "/workspace/$name.env"
if [ -e "/workspace/$name.do" ]; then . "/workspace/$name.do"; fi
`;

t.test('hooks around runs and tool calls', async (t) => {
  const names = ['pre.d/10-first', 'pre.d/20-second', 'post.d/10-last'];
  const host = await TestHost.start(t, { env: 'step_timeout_s=30\n' }, (host) => {
    for (const name of names)
      for (const object of ['agent/coder', 'tool/fs.read'])
        host.installText(`${object}.d/hooks/${name}`, HOOK);
  });
  const client = await host.client();
  t.teardown(() => client.close());
  const { workspace } = host.site;
  const file = (object: string, hook: string) =>
    join(workspace, `${object.replace('/', '_')}.d_hooks_${hook.replace('/', '_')}`);
  const order = () =>
    existsSync(join(workspace, 'order')) ? readFileSync(join(workspace, 'order'), 'utf8') : '';
  const act = (object: string, hook: string, script: string) =>
    host.site.write(`workspace/${file(object, hook).split('/').at(-1)}.do`, script);
  const calm = (object: string, hook: string) => rmSync(`${file(object, hook)}.do`);
  let count = 0;
  const send = (input: string) => {
    const id = `h${count++}`;
    rmSync(join(workspace, 'order'), { force: true });
    return client.send({ op: 'send', id, session: 'default', input }).run(id);
  };

  await t.test('they run in order around their objects, each told what goes on', async (t) => {
    const frames = await send('call fs.read');
    t.match(frames.at(-1), { status: 'ok' });
    const of = (object: string, hook: string) => file(object, hook).split('/').at(-1);
    t.strictSame(order().trim().split('\n'), [
      of('agent/coder', 'pre.d/10-first'),
      of('agent/coder', 'pre.d/20-second'),
      of('tool/fs.read', 'pre.d/10-first'),
      of('tool/fs.read', 'pre.d/20-second'),
      of('tool/fs.read', 'post.d/10-last'),
      of('agent/coder', 'post.d/10-last'),
    ]);
    const told = (object: string, hook: string) =>
      parseHookFrame(readFileSync(`${file(object, hook)}.told`, 'utf8'));
    const common = { agent: 'coder', session: 'default', run: frames[0]!['run'] };
    t.match(told('agent/coder', 'pre.d/10-first'), {
      ...common,
      phase: 'pre',
      object: 'agent/coder',
      step: 0,
      input: 'call fs.read',
    });
    t.match(told('tool/fs.read', 'pre.d/20-second'), {
      ...common,
      phase: 'pre',
      object: 'tool/fs.read',
      step: 0,
      input: { path: 'README.md' },
    });
    t.match(told('agent/coder', 'post.d/10-last'), { ...common, phase: 'post', step: 1 });
    t.equal(
      readFileSync(`${file('tool/fs.read', 'pre.d/10-first')}.env`, 'utf8'),
      `${common.run} coder /workspace\n`,
    );
  });

  await t.test(
    'a failing pre hook of a tool refuses the call, by its name, and the run goes on',
    async (t) => {
      act('tool/fs.read', 'pre.d/10-first', 'echo "not on a Sunday" >&2; exit 3');
      const before = readFileSync(join(workspace, 'ran'), 'utf8');
      const frames = await send('call fs.read');
      t.match(
        frames.find(({ type }) => type === 'tool_result'),
        {
          status: 'error',
          code: 'EACCES',
          content:
            'EACCES: tool/fs.read.d/hooks/pre.d/10-first: the hook failed: it exited with code 3: not on a Sunday',
        },
      );
      t.match(frames.at(-1), { status: 'ok' });
      t.equal(readFileSync(join(workspace, 'ran'), 'utf8'), before, 'the tool did not run');
      t.notMatch(order(), /fs\.read\S*(20-second|10-last)/, 'nor did the other hooks of it');
      calm('tool/fs.read', 'pre.d/10-first');
    },
  );

  await t.test('a failing pre hook of the agent ends the run before its first step', async (t) => {
    act('agent/coder', 'pre.d/20-second', 'exit 1');
    const frames = await send('call fs.read');
    t.match(
      frames.map(({ type }) => type),
      ['start', 'error', 'done'],
    );
    t.match(frames[1], { code: 'EACCES', path: 'agent/coder.d/hooks/pre.d/20-second', layer: 'hook' });
    calm('agent/coder', 'pre.d/20-second');
  });

  await t.test(
    'a failing post hook, however much it says, is told in the log and undoes nothing',
    async (t) => {
      for (const object of ['agent/coder', 'tool/fs.read'])
        act(object, 'post.d/10-last', "head -c 300000 /dev/zero | tr '\\0' e >&2; kill -9 $$");
      const frames = await send('call fs.read');
      t.match(
        frames.find(({ type }) => type === 'tool_result'),
        { status: 'ok' },
      );
      t.match(frames.at(-1), { status: 'ok' });
      for (const object of ['agent/coder', 'tool/fs.read'])
        t.match(
          host.stderr,
          new RegExp(`${object}.d/hooks/post.d/10-last: the hook failed: it exited with code 137`),
        );
    },
  );

  await t.test('a hook is cancelled with its run', async (t) => {
    act('agent/coder', 'pre.d/10-first', 'touch /workspace/waits; sleep 60');
    client.send({ op: 'send', id: 'wait', session: 'default', input: 'answer' });
    const start = await client.until((frame) => frame['request_id'] === 'wait');
    while (!existsSync(join(workspace, 'waits'))) await new Promise((resolve) => setTimeout(resolve, 10));
    client.send({ op: 'cancel', id: start['run'] });
    t.match(await client.until((frame) => frame.type === 'done' && frame['run'] === start['run']), {
      status: 'cancelled',
    });
    calm('agent/coder', 'pre.d/10-first');
  });

  await t.test('the set is the one at the start; one that is gone since then refuses', async (t) => {
    host.installText('agent/coder.d/hooks/pre.d/05-new', '#!/bin/sh\nexit 1\n');
    t.match((await send('answer')).at(-1), { status: 'ok' }, 'a new one waits for the next start');
    for (const place of ['store', 'root/.view/coder'])
      rmSync(join(host.site.base, place, 'agent/coder.d/hooks/pre.d/10-first'));
    t.match((await send('answer')).at(-2), { type: 'error', code: 'EACCES', path: /10-first$/ });
  });
});
