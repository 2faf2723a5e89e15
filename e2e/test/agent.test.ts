import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { mountedPlace } from '../place.ts';
import { RawClient } from '../raw-client.ts';
import { Screen } from '../screen.ts';
import { Session } from '../session.ts';

const place = await mountedPlace(t);
const hooks = `${place.root}/agent/coder.d/hooks`;
writeFileSync(
  `${hooks}/pre.d/10-sunday`,
  '#!/bin/sh\nif grep -q sunday; then echo "not on a Sunday" >&2; exit 1; fi\n',
);
writeFileSync(`${hooks}/post.d/10-note`, '#!/bin/sh\ncat > /workspace/noted\n');
for (const hook of ['pre.d/10-sunday', 'post.d/10-note']) chmodSync(`${hooks}/${hook}`, 0o755);
await place.must(t, ['agent', 'start', 'coder', '--workspace', place.workspace]);

t.test('an agent executed on a terminal without arguments is its chat', async (t) => {
  const screen = await Screen.open(t, place);
  await screen.type(`${place.root}/agent/coder`, 'Enter');
  await screen.shows(/^coder\/default>$/m);
  await screen.type('!say by hand', 'Enter');
  await screen.shows(/^by hand\ncoder\/default>$/m);
  await screen.type('/exit', 'Enter');
  await screen.shows(/\n\$$/);
  await screen.type('echo "code $?"', 'Enter');
  await screen.shows(/^code 0$/m);
});

t.test('an agent changes its own prompt, from the next run on, and only its own', async (t) => {
  const update = (control: string, content: string) =>
    place.ctx(['agent', 'send', 'coder', `!tsh agent.update '${JSON.stringify({ control, content })}'`]);
  t.match(await update('system.md', 'I have learned.'), { code: 0, out: /"effective":"next run"/ });
  t.match(
    new Session(place).lastRun().map(({ type }) => type),
    ['start', 'tool_call', 'agent.update', 'tool_result'],
  );
  t.match(await place.must(t, ['agent', 'prompt', 'coder']), /I have learned\./);
  t.equal(readFileSync(`${place.root}/agent/coder.d/system.md`, 'utf8'), 'I have learned.');
  await update('policy', 'allow coder_t tool:bash execute');
  t.match(
    new Session(place).lastRun().find(({ type }) => type === 'tool_result'),
    { status: 'error', code: 'EINVAL' },
  );
  t.notMatch(readFileSync(`${place.root}/agent/coder.d/policy`, 'utf8'), /bash/);
});

t.test('what the agent loads in its tool shell is in its next prompt', async (t) => {
  t.notMatch(await place.must(t, ['agent', 'prompt', 'coder']), /Tools loaded/);
  await place.must(t, ['agent', 'send', 'coder', '!tsh load fs.search']);
  t.match(
    await place.must(t, ['agent', 'prompt', 'coder']),
    /Tools loaded in tsh[\s\S]*- fs\.search: Find lines/,
  );
  writeFileSync(`${place.workspace}/found.txt`, 'one\nneedle\n');
  const out = await place.must(t, [
    'agent',
    'send',
    'coder',
    `!tsh fs.search '{"path":"/workspace","pattern":"needle","glob":"*.txt"}'`,
  ]);
  t.strictSame(JSON.parse(out), [{ file: '/workspace/found.txt', line: 2, text: 'needle' }]);
});

t.test('hooks that the owner made in the mount run around the agent', async (t) => {
  await place.must(t, ['agent', 'send', 'coder', '!say weekday']);
  t.match(JSON.parse(readFileSync(`${place.workspace}/noted`, 'utf8')), {
    abi: 'cortexfs.hook/v1',
    phase: 'post',
    object: 'agent/coder',
    input: '!say weekday',
  });
  t.match(await place.ctx(['agent', 'send', 'coder', '!say sunday']), {
    code: 13,
    err: /EACCES: agent\/coder\.d\/hooks\/pre\.d\/10-sunday: the hook failed: it exited with code 1: not on a Sunday/,
  });
});

t.test('shared and temp sessions on the real mount', async (t) => {
  mkdirSync(`${place.store}/shared/team`, { mode: 0o750 });
  for (const rule of ['session:talk write', 'session:talk read', 'shared:team write', 'shared:team read'])
    await place.must(t, ['append', 'agent/coder.d/policy', `allow coder_t ${rule}`]);
  const client = new RawClient(t, `${place.runtime}/agent/coder.sock`);
  const send = (id: string, more: object) =>
    client.send({ op: 'send', id, session: 'talk', input: '!say hello', ...more }).run(id);
  t.match((await send('shared', { scope: 'shared', space: 'team' })).at(-1), { type: 'done', status: 'ok' });
  t.match((await send('temp', { scope: 'temp' })).at(-1), { type: 'done', status: 'ok' });
  const shown = `${place.root}/shared/team/agent/coder/session/talk`;
  t.match(readFileSync(`${shown}/latest.md`, 'utf8'), 'hello\n');
  t.notOk(existsSync(`${place.root}/home/${process.getuid!()}/agent/coder/session/talk`));
  t.match(await place.ctx(['agent', 'send', 'coder', '--session', 'other', '!say x']), {
    code: 13,
    err: /EACCES: session\/other: agent policy has no "allow coder_t session:other write"\nhint: ctx append agent\/coder\.d\/policy/,
  });
});

t.test('ps, tools, env, history and output of a running agent', async (t) => {
  const [ps, tools, env, history, output] = await Promise.all(
    ['ps', 'tools', 'env', 'history', 'output'].map((verb) =>
      place.must(t, ['agent', verb, ...(verb === 'ps' ? [] : ['coder'])]),
    ),
  );
  t.match(
    ps,
    /^architect {2}dead {2}model main\n {2}coder {2}(idle|ready) {2}model main\n {2}├─ socket host {2}pid \d+ .* up \S+ {2}\d+ MiB\n {2}└─ terminal/m,
  );
  t.match(tools, /^fs\.read +direct[\s\S]*^fs\.search +tsh/m);
  t.match(env, /^HOME=\/home\/agent$/m);
  t.match(history, /user\n {2}!say by hand\n/);
  t.match(output, /\S/);
});
