import { lstatSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import type { NetworkDriver } from '@cortexfs/abi/provider';
import t, { type Test } from 'tap';
import { type Frame, framesOf, typesOf } from '../frames.ts';
import {
  ANSWER,
  closedPort,
  DRIVERS,
  filesHolding,
  good,
  hasty,
  MockProvider,
  processesHolding,
} from '../mock-provider.ts';
import { mountedPlace, run } from '../place.ts';
import { Session } from '../session.ts';

const mock = await MockProvider.start(t);
const place = await mountedPlace(t);
const said: string[] = [];

/** Of each driver: a provider with a key, a model with the usual limits, and one that gives up soon. */
const key = (driver: NetworkDriver) => `sk-${driver}-5f1d0c9e7a3b`;

/** A command line of ctx, its words parted by blanks. */
async function ctx(t: Test, line: string): Promise<string> {
  const out = await place.must(t, line.split(' '));
  said.push(out);
  return out;
}

/** Executes a model as a person does, through the mount. */
async function execute(path: string, text: string) {
  const { code, out, err } = await run(`${place.root}/model/${path}`, [text], { env: place.env });
  said.push(out, err);
  return { code, frames: framesOf(out) };
}

const errorOf = (frames: readonly Frame[]) => frames.find(({ type }) => type === 'error');
const deltas = (frames: readonly Frame[]) =>
  frames.flatMap(({ type, text }) => (type === 'delta' ? [text] : [])).join('');

t.before(async () => {
  mock.teach({
    held: DRIVERS.map(key),
    file: `${place.folder}/config/cortexfs/secrets/provider/openai-chat/default`,
  });
  for (const driver of DRIVERS) {
    const file = `${place.folder}/key`;
    writeFileSync(file, `${key(driver)}\n`);
    const add = `model add --driver ${driver} --key-file ${file} --no-try`;
    const models = `--model ${good(driver)} --model ${hasty(driver)}`;
    await ctx(t, `${add} --base-url ${mock.base(driver)} --name ${driver} --limit 100000 ${models}`);
    await ctx(t, `${add} --base-url ${mock.base(driver, true)} --name garbled-${driver} --model x`);
    rmSync(file);
    await ctx(t, `set model/${driver}/${good(driver)}.d/default retry_delay_s=0.05`);
    await ctx(t, `set model/${driver}/${hasty(driver)}.d/default stall_timeout_s=0.5`);
  }
});

for (const driver of DRIVERS) {
  const model = `${driver}/${good(driver)}`;

  t.test(`${driver}: what a model says arrives in pieces, then whole, then counted`, async (t) => {
    const { code, frames } = await execute(model, `stream ${driver}`);
    t.equal(code, 0);
    t.strictSame([...new Set(typesOf(frames))], ['start', 'reasoning_delta', 'message', 'usage', 'done']);
    t.ok(frames.filter(({ type }) => type === 'delta').length > 1, 'in several pieces');
    t.equal(deltas(frames), ANSWER);
    t.match(
      frames.find(({ type }) => type === 'message'),
      { content: [{ type: 'text', text: ANSWER }] },
    );
    t.match(
      frames.find(({ type }) => type === 'usage'),
      { input_tokens: 7, output_tokens: 11 },
    );
    t.match(frames[0], { model });
  });

  t.test(`${driver}: a key that is refused is EACCES, at once, and its text stays untold`, async (t) => {
    const { code, frames } = await execute(model, `who are you ${driver}`);
    t.strictSame([code, typesOf(frames)], [13, ['start', 'error', 'done']]);
    t.match(errorOf(frames), { code: 'EACCES', message: /HTTP 401/ });
    t.equal(mock.count(good(driver), `who are you ${driver}`), 1);
  });

  t.test(`${driver}: what fails for a moment is asked again, as late as the provider asks for`, async (t) => {
    for (const question of [`stumble ${driver}`, `come back soon ${driver}`]) {
      const { code, frames } = await execute(model, question);
      t.strictSame([code, deltas(frames)], [0, ANSWER], question);
      t.equal(errorOf(frames), undefined, 'nothing is told of it');
      t.equal(mock.count(good(driver), question), 2);
    }
  });

  t.test(`${driver}: a model that stops talking is ETIMEDOUT; what it said stands`, async (t) => {
    const { code, frames } = await execute(`${driver}/${hasty(driver)}`, `stall ${driver}`);
    t.strictSame([code, errorOf(frames)?.code], [69, 'ETIMEDOUT']);
    t.ok(ANSWER.startsWith(deltas(frames)) && deltas(frames) !== '', 'the beginning');
    t.equal(mock.count(hasty(driver), `stall ${driver}`), 1, 'never again after the first word');
  });

  t.test(`${driver}: a connection that is cut is EHOSTDOWN; the message is never half`, async (t) => {
    const { code, frames } = await execute(model, `cut ${driver}`);
    t.strictSame([code, errorOf(frames)?.code], [69, 'EHOSTDOWN']);
    t.ok(ANSWER.startsWith(deltas(frames)));
    t.notOk(frames.some(({ type }) => type === 'message'));
    t.match(frames.at(-1), { type: 'done', status: 'error' });
  });

  t.test(`${driver}: events that cannot be read are EPROTO`, async (t) => {
    const { code, frames } = await execute(`garbled-${driver}/x`, 'hello');
    t.strictSame([code, typesOf(frames)], [70, ['start', 'error', 'done']]);
    t.match(errorOf(frames), { code: 'EPROTO' });
    t.match(mock.keys.at(-1), new RegExp(`^(Bearer )?${key(driver)}$`), 'the key goes to the provider');
  });
}

t.test('an answer without any event is EPROTO', async (t) => {
  const { code, frames } = await execute(`openai-chat/${good('openai-chat')}`, 'no events');
  t.strictSame([code, errorOf(frames)?.code], [70, 'EPROTO']);
});

t.test('a wait that is longer than the budget is not waited for', async (t) => {
  const { code, frames } = await execute(`google/${good('google')}`, 'come back never');
  t.strictSame([code, errorOf(frames)?.code], [69, 'EAGAIN']);
  t.match(errorOf(frames)?.hint, '7200 s');
  t.equal(mock.count(good('google'), 'come back never'), 1);
});

t.test('an agent', async (t) => {
  const rules = DRIVERS.map((driver) => `allow coder_t model:${driver}/${good(driver)} use`);
  await place.must(t, ['append', 'agent/coder.d/policy', rules.join('\n')]);
  await ctx(t, 'agent start coder');
  for (const [at, driver] of DRIVERS.entries()) {
    const second = DRIVERS[(at + 1) % DRIVERS.length]!;
    const session = new Session(place);
    await ctx(t, `set agent/coder.d/model ${driver}/${good(driver)}`);

    await t.test(`${driver}: two calls at once are carried out one after the other`, async (t) => {
      const question = `look around ${driver}`;
      t.match(await ctx(t, `agent send coder ${question}`), /I have looked\./);
      const events = session.lastRun();
      t.strictSame(typesOf(events), [
        'start',
        'usage',
        'tool_call',
        'tool_result',
        'tool_call',
        'tool_result',
        'usage',
        'message',
        'done',
      ]);
      const calls = events.filter(({ type }) => type === 'tool_call');
      t.match(calls, [
        { name: 'fs.list', arguments: { path: '/workspace' } },
        { name: 'tsh', arguments: { args: ['fs.read', /secrets/] } },
      ]);
      const results = events.filter(({ type }) => type === 'tool_result');
      t.match(results, [{ status: 'ok' }, { status: 'error' }], 'no key is where an agent is');
      t.strictSame(
        results.map(({ tool_call_id }) => tool_call_id),
        calls.map(({ tool_call_id }) => tool_call_id),
      );
      const asked = mock.bodies(good(driver), question);
      t.equal(asked.length, 2, 'the second call needs no inference of its own');
      t.strictSame(
        asked[0]!.tools?.map((tool) => tool.function.name),
        ['tsh', 'fs_read', 'fs_list', 'fs_stat'],
      );
      const back = asked[1]!.messages.slice(-4);
      t.strictSame(
        back.map(({ role }) => role),
        ['assistant', 'tool', 'assistant', 'tool'],
      );
      t.strictSame(
        session
          .messages()
          .slice(-4)
          .map(({ role }) => role),
        ['user', 'tool', 'tool', 'assistant'],
      );
    });

    await t.test(
      `${driver}: another model answers when it is down, and both facts are on record`,
      async (t) => {
        const path = `model/${driver}/${good(driver)}.d/fallback`;
        await ctx(t, `set ${path} debug/echo\n${second}/${good(second)}`);
        await ctx(t, `agent send coder fall back ${driver}`);
        const events = session.lastRun();
        t.match(
          events.filter(({ type }) => type === 'model.refused'),
          [
            { model: `${driver}/${good(driver)}`, code: 'EHOSTDOWN' },
            { model: 'debug/echo', code: 'EACCES' },
          ],
        );
        t.match(
          events.find(({ type }) => type === 'message'),
          { content: [{ text: 'I am the second.' }] },
        );
        t.equal(mock.count(good(driver), `fall back ${driver}`), 3, 'after two retries');
      },
    );
  }
});

t.test('arguments that are no JSON come back to the model, which mends them', async (t) => {
  await ctx(t, `model add openai-chat --model ${good('openai-chat')} --main --no-try`);
  t.equal(readlinkSync(`${place.store}/model/main`), `openai-chat/${good('openai-chat')}`);
  await ctx(t, 'set agent/coder.d/model main');
  t.match(await ctx(t, 'agent send coder stutter'), /I see what was wrong\./);
  const events = new Session(place).lastRun();
  t.match(
    events.find(({ type }) => type === 'tool_call'),
    { name: 'fs.list', arguments: {} },
  );
  t.match(
    events.find(({ type }) => type === 'tool_result'),
    { status: 'error', code: 'EINVAL', content: /cannot be used.*\{"path":/ },
  );
  const [, again] = mock.bodies(good('openai-chat'), 'stutter');
  t.match(again?.messages.at(-1), { role: 'tool', content: /cannot be used/ });
});

t.test('add tries a call at once and says how it went; what it wrote stays', async (t) => {
  const add = `model add --base-url ${mock.base('openai-chat')} --name plain --model vendor/big:1`;
  const added = await place.ctx(add.split(' '));
  t.match(added, { code: 0, out: /added +vendor\/big-1\n(.*\n)*it says +ready/, err: '' });
  t.equal(readFileSync(`${place.store}/model/vendor/big-1.d/id`, 'utf8'), 'vendor/big:1\n');
  t.match(await place.ctx(['cat', 'model/vendor/big-1']), { code: 0, out: /cortexfs\.driver=openai-chat\n/ });
  const dead = [
    'model',
    'add',
    '--base-url',
    `http://127.0.0.1:${await closedPort()}/v1`,
    '--name',
    'dead',
    '--model',
    'm',
  ];
  t.match(await place.ctx(dead), {
    code: 69,
    err: /first call failed: EHOSTDOWN.*\nhint: .*ctx model check dead\/m/,
  });
  t.match(await place.ctx(['model', 'check', 'vendor/big-1']), {
    code: 0,
    out: 'ok    vendor/big-1  ready\n',
  });
  const listed = JSON.parse(await ctx(t, 'model list --json')) as { model: string }[];
  t.match(
    listed.filter(({ model }) => /dead|vendor|hasty-google/.test(model)),
    [
      { model: 'dead/m', provider: 'dead', key: 'none' },
      { model: 'google/hasty-google', provider: 'google', key: 'set', limit: '100000' },
      { model: 'vendor/big-1', provider: 'plain', key: 'none', id: 'vendor/big:1' },
    ],
  );
  for (const name of ['dead', 'vendor/big-1'])
    t.match(await ctx(t, `model remove ${name}`), /removed +provider (dead|plain) and its key\n$/);
  t.match(await place.ctx(['model', 'remove', 'dead']), { code: 1, err: /^ctx: ENOENT: / });
});

t.test('a key is in the store of keys and nowhere else', async (t) => {
  const secrets = `${place.folder}/config/cortexfs/secrets`;
  for (const driver of DRIVERS) {
    const file = `${secrets}/provider/${driver}/default`;
    t.equal(lstatSync(file).mode & 0o7777, 0o600);
    const copies = [file, `${secrets}/provider/garbled-${driver}/default`].sort();
    t.strictSame(
      filesHolding(place.folder, key(driver)).sort(),
      copies,
      'in no other file: logs, sessions, store',
    );
    t.strictSame(processesHolding(key(driver)), [], 'in no process now');
    t.notMatch(said.join('\n'), key(driver), 'in nothing that was printed');
    t.notMatch(said.join('\n'), key(driver).slice(-8), 'not even its end');
  }
  for (const folder of ['', '/provider', '/provider/google'])
    t.equal(lstatSync(`${secrets}${folder}`).mode & 0o7777, 0o700);
  t.strictSame(mock.seen, [], 'nor in a process while it was used');
});

t.test('a key that others could read is not used', async (t) => {
  const file = `${place.folder}/config/cortexfs/secrets/provider/google/default`;
  await run('/bin/chmod', ['0640', file]);
  const { code, frames } = await execute(`google/${good('google')}`, 'hello');
  t.match(
    { code, error: errorOf(frames) },
    { code: 13, error: { code: 'EACCES', message: /has mode 640, not 600/ } },
  );
  await ctx(t, 'model remove google');
  t.notOk(lstatSync(file, { throwIfNoEntry: false }));
  t.notOk(lstatSync(`${place.store}/model/google`, { throwIfNoEntry: false }));
});
