import { mkdirSync, symlinkSync } from 'node:fs';
import type { Test } from 'tap';
import { typesOf } from '../frames.ts';
import { Session } from '../session.ts';
import type { Rules, Scene } from './place.ts';

/** What a run's events are, and how a client gets them again. */
export const runRules: Rules = [
  ['a run is start, its work, one answer, one done, in strict order; what is sent is what is stored', order],
  ['tsh is start, tool_call, tool_result, done, without a model and without a message', tsh],
  [
    'the same id with the same content replays the same bytes and runs nothing; other content is EINVAL',
    sameId,
  ],
  ['two clients with the same id at the same time get one run', atOnce],
  ['an id belongs to its session, and a run begins in its cwd', idsOfSessions],
  ['resume after every event gives exactly the rest, then resumed', resume],
  ['resume of what is not there is ENOENT', resumeNothing],
  ['runs of different sessions interleave on one connection', interleaved],
  ['a cwd that is missing is ENOENT, one outside of the view EACCES', workingDirectories],
  ['an input over 64 KiB is EMSGSIZE and begins nothing', longInput],
];

const say = (session: string, id = 'say', input = '!say hello') => ({ op: 'send', id, session, input });

/** One whole run with a tool call in its session, which several rules look at. */
const whole = say('whole', 'whole', '!call fs.list {"path":"/workspace"}\n!say that is all');

async function order(t: Test, { open, place }: Scene) {
  const client = open(t);
  const frames = await client.send(whole).run('whole');
  t.strictSame(typesOf(frames), ['start', 'tool_call', 'tool_result', 'message', 'done']);
  t.strictSame(client.frames, frames, 'nothing else came');
  t.strictSame(
    frames.map(({ id, seq }) => [id, seq]),
    frames.map((_, index) => [`e${index + 1}`, index + 1]),
  );
  t.strictSame(`${client.lines.join('\n')}\n`, new Session(place, 'coder', 'whole').read('events.jsonl'));
  t.match(frames.at(-1), { type: 'done', status: 'ok' });
  t.strictSame(
    new Session(place, 'coder', 'whole').messages().map(({ role }) => role),
    ['user', 'tool', 'assistant'],
    'each is recorded once',
  );
}

async function tsh(t: Test, { open, place }: Scene) {
  const request = { op: 'tsh', id: 'tool-1', session: 'tsh', args: ['fs.list', '/workspace'] };
  const client = open(t);
  const frames = await client.send(request).run('tool-1');
  t.strictSame(typesOf(frames), ['start', 'tool_call', 'tool_result', 'done']);
  t.match(frames[1], { name: 'tsh', arguments: { args: request.args } });
  t.match(frames[2], { status: 'ok' });
  t.strictSame(new Session(place, 'coder', 'tsh').read('messages.jsonl'), '');
  t.strictSame(await open(t).send(request).run('tool-1'), frames, 'a retry runs nothing');
}

async function sameId(t: Test, { open, place }: Scene) {
  const before = new Session(place, 'coder', 'whole').read('events.jsonl');
  const client = open(t);
  const { op, id, session, input } = whole;
  await client.send({ input, extra: 1, session, id, op }).run('whole');
  t.equal(`${client.lines.join('\n')}\n`, before, 'key order and unknown fields do not count');
  for (const other of [
    { ...whole, input: 'x' },
    { ...whole, cwd: '/home/agent' },
  ]) {
    const another = open(t);
    t.match(await another.send(other).next(), { type: 'error', code: 'EINVAL', request_id: 'whole' });
  }
  t.match(
    await open(t)
      .send({ op: 'tsh', id, session, args: ['x'] })
      .next(),
    { code: 'EINVAL' },
  );
  t.equal(new Session(place, 'coder', 'whole').read('events.jsonl'), before);
}

async function atOnce(t: Test, { open, place }: Scene) {
  const clients = Array.from({ length: 8 }, () => open(t));
  for (const client of clients) client.send(say('at-once')).send(say('at-once'));
  await Promise.all(clients.map((client) => client.run('say')));
  const events = new Session(place, 'coder', 'at-once').events();
  t.equal(events.filter(({ type }) => type === 'start').length, 1);
  const waits = clients.map((client) => client.frame(({ seq }) => seq === events.length));
  t.equal((await Promise.all(waits)).length, 8, 'all got it');
}

async function idsOfSessions(t: Test, { open, place }: Scene) {
  mkdirSync(`${place.workspace}/below`);
  const elsewhere = { ...say('ids', 'whole', '!call fs.list {"path":"."}'), cwd: '/workspace/below' };
  const here = await open(t).send(elsewhere).run('whole');
  const [there] = await open(t).send(whole).run('whole');
  t.not(here[0]?.['run'], there?.['run']);
  t.match(here[2], { type: 'tool_result', content: '[]' });
}

async function resume(t: Test, { open, place }: Scene) {
  const all = new Session(place, 'coder', 'whole').events();
  const last = all.at(-1)!['id'];
  const client = open(t);
  for (const [index, after] of [undefined, ...all.map(({ id }) => id)].entries()) {
    client.send({ op: 'resume', session: 'whole', ...(after === undefined ? {} : { after }) });
    for (const event of all.slice(index)) t.strictSame(await client.next(), event);
    t.strictSame(await client.next(), { type: 'resumed', last });
  }
}

async function resumeNothing(t: Test, { open }: Scene) {
  for (const request of [
    { op: 'resume', session: 'nowhere' },
    { op: 'resume', session: 'whole', after: 'e9999' },
    { op: 'status', session: 'nowhere' },
  ])
    t.match(await open(t).send(request).next(), { type: 'error', code: 'ENOENT' });
}

async function interleaved(t: Test, { open }: Scene) {
  const client = open(t);
  const slow = '!say begun\n!sleep 1500\n!say ended';
  client
    .send(say('one', 'one', slow))
    .send(say('two', 'two', slow))
    .send({ op: 'ping' });
  const [one, two] = await Promise.all([client.run('one'), client.run('two')]);
  const at = (frame: unknown) => client.frames.indexOf(frame as never);
  t.ok(at(two![0]) < at(one!.at(-1)) && at(one![0]) < at(two!.at(-1)), 'they ran at the same time');
  for (const run of [one!, two!])
    t.strictSame(
      run.map(({ seq }) => seq),
      run.map((_, index) => index + 1),
    );
  t.ok(
    at(client.frames.find(({ type }) => type === 'pong')) < at(one!.at(-1)),
    'ping does not wait for them',
  );
}

async function workingDirectories(t: Test, { open, place }: Scene) {
  symlinkSync('/etc', `${place.workspace}/link`);
  const client = open(t);
  for (const [cwd, code] of [
    ['/workspace/missing', 'ENOENT'],
    ['/etc', 'EACCES'],
    ['/workspace/../etc', 'EACCES'],
    ['/workspaces', 'EACCES'],
    ['/', 'EACCES'],
  ] as const)
    t.match(
      await client.send({ ...say('cwd', 'cwd'), cwd }).next(),
      { type: 'error', code, request_id: 'cwd' },
      cwd,
    );
  const link = await client.send({ ...say('cwd', 'cwd'), cwd: '/workspace/link' }).next();
  t.match(link, { type: 'error', code: /^(ELOOP|EACCES)$/ }, 'no link leads out');
}

async function longInput(t: Test, { open }: Scene) {
  const client = open(t);
  const input = 'x'.repeat(64 * 1024 + 1);
  t.match(await client.send(say('long', 'long', input)).next(), { code: 'EMSGSIZE', request_id: 'long' });
  t.match(await client.send({ op: 'status', session: 'long' }).next(), { code: 'ENOENT' });
}
