import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { sessionRules, TestHost } from './host.ts';

const rules = (...lines: string[]) => lines.map((line) => `allow coder_t ${line}\n`).join('');

t.test('the scopes of sessions, and the rights that they need', async (t) => {
  const host = await TestHost.start(t, { env: 'step_timeout_s=30\n' });
  const { site } = host;
  mkdirSync(join(site.store, 'shared/team'), { recursive: true });
  chmodSync(join(site.store, 'shared/team'), 0o750);
  const mounts = ['mount:workspace read', 'mount:workspace write'];
  const policy = (...lines: string[]) => site.write('store/agent/coder.d/policy', rules(...mounts, ...lines));
  const shared = { session: 'talk', scope: 'shared', space: 'team' };
  const all = [...sessionRules('talk'), 'shared:team read', 'shared:team write'];
  let count = 0;
  const send = (more: object) => ({
    op: 'send',
    id: `m${count++}`,
    session: 'talk',
    input: 'answer',
    ...more,
  });

  await t.test(
    'a shared session keeps its history in the space; a private one of that name is another',
    async (t) => {
      policy(...all);
      const client = await host.client();
      const request = send(shared);
      const frames = await client.send(request).run(request.id);
      t.match(frames.at(-1), { status: 'ok' });
      const directory = join(site.store, 'shared/team/agent/coder/session/talk');
      t.equal(readFileSync(join(directory, 'events.jsonl'), 'utf8').split('\n').length - 1, frames.length);
      t.strictSame(await client.send(request).run(request.id), frames, 'the same id replays');
      client.send({ op: 'status', ...shared });
      t.match(await client.type('status'), { session: 'talk', state: 'done', last: 'e3' });
      const other = send({});
      t.match((await client.send(other).run(other.id))[0], { seq: 1 });
      const resumed = await host.client();
      resumed.send({ op: 'resume', ...shared });
      await resumed.type('resumed');
      t.strictSame(resumed.frames.slice(0, -1), frames);
      for (const each of [client, resumed]) each.close();
    },
  );

  for (const [scope, where] of [
    ['private', {}],
    ['shared', shared],
  ] as const)
    await t.test(
      `a run in a ${scope} session goes on when its client leaves, and another one sees it end`,
      async (t) => {
        policy(...all, 'tool:while-asked execute');
        const gate = join(site.workspace, 'go-on');
        writeFileSync(gate, '');
        const leaving = await host.client();
        const request = send({ ...where, input: 'call while-asked' });
        leaving.send(request);
        const { run } = await leaving.type('tool_call');
        leaving.close();
        const watcher = await host.client();
        watcher.send({ op: 'status', session: 'talk', ...where });
        t.match(await watcher.type('status'), { state: 'active', run });
        watcher.send({ op: 'resume', session: 'talk', ...where });
        await watcher.type('resumed');
        rmSync(gate);
        const end = await watcher.until((frame) => frame.type === 'done' && frame['run'] === run);
        t.match(end, { status: 'ok' });
        t.match(
          watcher.frames.filter((frame) => frame.type === 'tool_result' && frame['run'] === run),
          [{ content: 'asked' }],
        );
        watcher.close();
      },
    );

  await t.test('a temp session is nowhere on the disk, and its run ends with its client', async (t) => {
    const client = await host.client();
    const temp = { scope: 'temp', session: 'talk' };
    const before = readdirSync(join(site.store, `home/${process.getuid!()}/agent/coder/session`));
    const first = send(temp);
    const frames = await client.send(first).run(first.id);
    t.match(frames, [{ seq: 1, type: 'start' }, { type: 'message' }, { type: 'done', status: 'ok' }]);
    const second = send({ ...temp, input: 'envelope' });
    const [, message] = await client.send(second).run(second.id);
    const text = Buffer.from(
      (message as unknown as { content: { text: string }[] }).content[0]!.text,
      'base64',
    );
    t.match(String(text), /"history_messages":"[^"]*.*answer.*hello/, 'it has a history while it lasts');
    const watcher = await host.client();
    watcher.send({ op: 'resume', ...temp });
    t.match(await watcher.type('resumed'), { last: 'e6' });
    const waiting = send({ ...temp, input: 'wait' });
    client.send(waiting);
    const start = await client.until((frame) => frame['request_id'] === waiting.id);
    await client.until((frame) => frame.type === 'delta' && frame['run'] === start['run']);
    client.close();
    watcher.send({ op: 'status', ...temp });
    t.match(await watcher.type('status'), { state: 'active' }, 'another client keeps it');
    watcher.close();
    const late = await host.client();
    for (;;) {
      late.frames.length = 0;
      await delay(20);
      late.send({ op: 'status', ...temp });
      if ((await late.until(({ type }) => type === 'status' || type === 'error')).type === 'error') break;
    }
    t.match(late.frames.at(-1), { code: 'ENOENT' }, 'then it is forgotten');
    const again = send(temp);
    t.match((await late.send(again).run(again.id))[0], { seq: 1 });
    t.strictSame(readdirSync(join(site.store, `home/${process.getuid!()}/agent/coder/session`)), before);
    late.close();
  });

  /** What an operation needs, and how its lack is told. */
  const needs: readonly [what: string, request: object, missing: string, told: RegExp][] = [
    ['send', { op: 'send', id: 'n1', input: 'answer' }, 'session:talk write', /session:talk write/],
    ['tsh', { op: 'tsh', id: 'n2', args: ['x'] }, 'session:talk write', /session:talk write/],
    ['resume', { op: 'resume' }, 'session:talk resume', /session:talk resume/],
    ['status', { op: 'status' }, 'session:talk read', /session:talk read/],
    [
      'send to a space',
      { op: 'send', id: 'n3', input: 'answer', ...shared },
      'shared:team write',
      /shared:team write/,
    ],
    ['resume in a space', { op: 'resume', ...shared }, 'shared:team read', /shared:team read/],
    [
      'send to a temp one',
      { op: 'send', id: 'n4', input: 'answer', scope: 'temp' },
      'session:talk write',
      /talk write/,
    ],
  ];
  for (const [what, request, missing, told] of needs) {
    await t.test(`${what} needs ${missing}`, async (t) => {
      policy(...all.filter((rule) => rule !== missing));
      const client = await host.client();
      client.send({ session: 'talk', ...request });
      t.match(await client.type('error'), { code: 'EACCES', layer: 'agent-policy', message: told });
      policy(...all);
      client.frames.length = 0;
      client.send({ session: 'talk', ...request });
      t.match(await client.until(({ type }) => type !== 'start'), {
        type: /message|tool_call|resumed|status|agent/,
      });
      client.close();
    });
  }

  await t.test("a space's own mode bits have their say", async (t) => {
    const client = await host.client();
    chmodSync(join(site.store, 'shared/team'), 0o050);
    const request = send(shared);
    await t.rejects(client.send(request).run(request.id), {
      code: 'EACCES',
      message: /may not write it: mode 0050/,
    });
    chmodSync(join(site.store, 'shared/team'), 0o750);
    await t.rejects(client.send({ ...request, id: 'none', space: 'none' }).run('none'), { code: 'ENOENT' });
    const allowed = send(shared);
    t.match((await client.send(allowed).run(allowed.id)).at(-1), { status: 'ok' });
    client.close();
  });
});
