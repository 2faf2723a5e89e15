import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { capabilityHost, fixtures } from './asking-host.ts';

const use = (id: string, content: string, more: object = {}) => ({
  op: 'model.use',
  request_id: id,
  messages: [{ role: 'user', content }],
  ...more,
});

t.test('the capability socket of a run', async (t) => {
  const { host, client, ask } = await capabilityHost(t);

  await t.test('ping, also from a grandchild of the launch root', async (t) => {
    t.strictSame(await ask({ frame: { op: 'ping' }, expect: 1 }), [{ type: 'pong' }]);
  });

  await t.test("model.use streams the model's frames with the request id", async (t) => {
    const replies = await ask({ frame: use('m1', 'hello'), expect: 4 });
    t.match(
      replies.map(({ type }) => type),
      ['start', 'delta', 'message', 'done'],
    );
    t.ok(replies.every((reply) => reply['request_id'] === 'm1'));
    const seen = JSON.parse((replies[2] as { content: { text: string }[] }).content[0]!.text);
    t.strictSame(seen.argv, [join(host.site.root, 'model/debug/echo')], 'the alias was resolved by readlink');
    t.match(seen.env, { CTX_ROOT: host.site.root, PATH: '/usr/bin:/bin' });
    t.strictSame(
      Object.keys(seen.env).filter(
        (name) =>
          ![
            'CTX_ROOT',
            'CTX_RUN_ID',
            'HOME',
            'LANG',
            'PATH',
            'PWD',
            'XDG_CONFIG_HOME',
            'OLDPWD',
            '_',
          ].includes(name),
      ),
      [],
    );
    t.match(
      seen.tools.map(({ name }: { name: string }) => name),
      ['tsh', 'fs.read', 'big'],
    );
    t.match(seen.tools[0], { description: 'The tool tsh.', schema: { type: 'object' } });
  });

  await t.test('a request id is used up by every attempt', async (t) => {
    const replies = await ask(
      { frame: use('id', 'x', { model: 'debug/script' }), expect: 2 },
      { frame: use('id', 'x'), expect: 4 },
    );
    t.match(replies[0], { type: 'error', code: 'EACCES', request_id: 'id' });
    t.match(replies[2], { type: 'error', code: 'EALREADY', request_id: 'id' });
  });

  await t.test('models that may not be used, are not there, or go in a circle', async (t) => {
    const replies = await ask(
      { frame: use('a', 'x', { model: 'debug/script' }), expect: 2 },
      { frame: use('b', 'x', { model: 'none' }), expect: 4 },
      { frame: use('c', 'x', { model: 'circle' }), expect: 6 },
      { frame: use('d', 'x', { model: '../../etc/passwd' }), expect: 8 },
    );
    t.match(
      replies.filter(({ type }) => type === 'error'),
      [
        {
          code: 'EACCES',
          path: 'model/debug/script',
          message: 'agent policy has no "allow coder_t model:debug/script use"',
        },
        { code: 'ENOENT', path: 'model/none' },
        { code: 'ELOOP' },
        { code: 'EINVAL' },
      ],
    );
    t.match(host.stderr, /model\.use: EACCES: model\/debug\/script: agent policy has no /);
  });

  await t.test('what a model does wrong is a typed error and an end', async (t) => {
    const replies = await ask(
      { frame: use('e', 'garbage'), expect: 2 },
      { frame: use('f', 'cut'), expect: 4 },
    );
    t.match(replies.slice(0, 2), [
      { type: 'error', code: 'EPROTO', request_id: 'e' },
      { type: 'done', status: 'error' },
    ]);
    t.match(replies.slice(-2), [
      { type: 'error', code: 'EPROTO' },
      { type: 'done', status: 'error' },
    ]);
  });

  await t.test('operations that are not offered, unknown ones, bad and long frames', async (t) => {
    const replies = await ask(
      { frame: { op: 'agent.create', request_id: 'x1' }, expect: 1 },
      { frame: { op: 'fly', request_id: 'x2' }, expect: 2 },
      { raw: 'not json\n', expect: 3 },
      { frame: { op: 'ping', pad: 'x'.repeat(17_000) }, expect: 4 },
      { frame: { op: 'ping' }, expect: 5 },
    );
    t.match(replies, [
      { code: 'ENOTSUP' },
      { code: 'EINVAL' },
      { code: 'EINVAL' },
      { code: 'EMSGSIZE' },
      { type: 'pong' },
    ]);
  });

  await t.test('256 request ids a run', async (t) => {
    const requests = Array.from({ length: 258 }, (_, index) => ({
      frame: { op: 'fly', request_id: `n${index}` },
      expect: index + 1,
    }));
    const replies = await ask(...requests);
    t.equal(replies.filter(({ code }) => code === 'EINVAL').length, 256);
    t.match(replies.slice(256), [{ code: 'EDQUOT' }, { code: 'EDQUOT' }]);
    const told = host.stderr.split('\n').filter((line) => line.includes(': fly: '));
    t.match(told[0], /run [0-9A-Z]+: fly: EINVAL: /, 'refusals are told to the owner');
    t.match(told.at(-1), /further refusals of this run are not told/);
    t.ok(told.length < 40, 'and do not flood the log');
  });

  await t.test('a process that is not of the run is refused, whatever its uid', async (t) => {
    host.install('agent/coder', join(fixtures, 'agent.sh'));
    client.send({ op: 'send', id: 'out', session: 'default', input: 'wait' });
    const start = await client.until((frame) => frame['request_id'] === 'out');
    await client.until((frame) => frame.type === 'delta' && frame['run'] === start['run']);
    const directory = join(host.site.runtime, 'run/coder', String(start['run']));
    t.strictSame(readdirSync(directory), ['control.sock']);
    const socket = connect(join(directory, 'control.sock'));
    // Nothing is sent: who asks is known before what is asked.
    const answer: Buffer[] = [];
    for await (const chunk of socket) answer.push(chunk);
    t.match(JSON.parse(Buffer.concat(answer).toString()), { type: 'error', code: 'EACCES' });
    client.send({ op: 'cancel', id: 'out' });
    await client.until((frame) => frame.type === 'done' && frame['run'] === start['run']);
    t.strictSame(readdirSync(join(host.site.runtime, 'run/coder')), [], 'it goes with the run');
    t.match(host.stderr, /does not belong to this run/);
  });
});

t.test("an agent that fails over its model ends with the model's error", async (t) => {
  const { client } = await capabilityHost(t);
  for (const [content, expect] of [
    ['fail', 2],
    // It leaves at the error; the model, ended before its last frame, did nothing wrong.
    ['fail slowly', 1],
  ] as const) {
    const input = JSON.stringify([{ frame: use('z', content), expect }]);
    const id = `leave${expect}`;
    const frames = await client.send({ op: 'send', id, session: 'default', input }).run(id);
    t.match(frames.at(-2), { type: 'error', code: 'EAGAIN', message: 'rate limited', layer: 'model' });
  }
});

t.test('the window of the agent bounds what a model gets', async (t) => {
  const { client, ask, host } = await capabilityHost(t, { model: 'debug/script\n', window: '1000\n' });
  host.site.write(
    'store/agent/coder.d/policy',
    'allow coder_t model:debug/script use\nallow coder_t mount:workspace read\nallow coder_t session:default write\n',
  );
  await t.rejects(
    ask({ frame: use('w', 'x'.repeat(4000)), expect: 2 }),
    /EMSGSIZE.*current input alone are longer/,
  );
  const [refused] = await ask({ frame: use('v', 'x'), repeat: 4000, expect: 2 });
  t.match(refused, { type: 'error', code: 'EMSGSIZE', layer: 'window' });
  host.site.write('store/agent/coder.d/window', '3000\n');
  const frames = await client.send({ op: 'send', id: 'over', session: 'default', input: '[]' }).run('over');
  t.match(frames.at(-2), {
    type: 'error',
    code: 'EINVAL',
    message: /window is set to 3000 tokens, but debug\/script has a limit of 2000/,
  });
});
