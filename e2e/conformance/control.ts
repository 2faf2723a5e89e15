import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Test } from 'tap';
import type { Frame } from '../frames.ts';
import { Session } from '../session.ts';
import type { Rules, Scene } from './place.ts';

/** Waiting, cancelling, approving, leaving, and who may ask at all. */
export const controlRules: Rules = [
  ['status tells state, run, step, model and last event', status],
  ['sixteen requests wait in order, the next is EAGAIN; one that is cancelled gets ECANCELED', queue],
  ['cancel takes a run or a request id, is answered with ok, and nothing is recorded after it', cancel],
  ['approve has exactly its keys, and answers only a question of its own connection', approve],
  ['a client that closes its sending side gets the rest', sendingSide],
  ['a private session goes on when its client leaves, and can be resumed into', leaves],
  ['another uid gets EACCES before any byte is parsed, and cannot stop the agent', strangers],
];

const wait = (session: string, id: string) => ({
  op: 'send',
  id,
  session,
  input: '!say begun\n!sleep 60000',
});

async function status(t: Test, { open }: Scene) {
  const client = open(t);
  const [start] = [await client.send(wait('status', 'wait')).next()];
  await client.frame(({ type }) => type === 'delta');
  client.send({ op: 'status', session: 'status' });
  t.match(await client.frame(({ type }) => type === 'status'), {
    session: 'status',
    state: 'active',
    run: start!['run'],
    step: 0,
    model: 'debug/script',
    last: /^e\d+$/,
  });
  const other = open(t);
  await other.send({ op: 'cancel', id: 'wait', session: 'status' }).next();
  await client.run('wait');
  t.match(await other.send({ op: 'status', session: 'status' }).next(), {
    state: 'cancelled',
    run: null,
    step: null,
    model: null,
    last: client.frames.at(-1)!['id'],
  });
}

async function queue(t: Test, { open, place }: Scene) {
  const client = open(t);
  client.send(wait('queue', 'first'));
  const first = await client.next();
  const ids = Array.from({ length: 17 }, (_, index) => `q${index}`);
  for (const id of ids) client.send({ op: 'tsh', id, session: 'queue', args: ['--list'] });
  const refusal = (id: string) =>
    client.frame((frame) => frame.type === 'error' && frame['request_id'] === id);
  t.match(await refusal('q16'), { code: 'EAGAIN', request_id: 'q16' });
  for (const id of ids.slice(2, 16)) client.send({ op: 'cancel', id, session: 'queue' });
  for (const id of ids.slice(2, 16)) t.match(await refusal(id), { code: 'ECANCELED' }, id);
  client.send({ op: 'cancel', id: first['run'] });
  await Promise.all([client.run('q0'), client.run('q1')]);
  const starts = new Session(place, 'coder', 'queue').events().filter(({ type }) => type === 'start');
  t.strictSame(
    starts.map((event) => event['request_id']),
    ['first', 'q0', 'q1'],
  );
}

async function cancel(t: Test, { open, place }: Scene) {
  for (const [session, name] of [
    ['cancel-run', (start: Frame) => ({ id: start['run'] })],
    ['cancel-request', () => ({ id: 'wait', session: 'cancel-request' })],
  ] as const) {
    const [asker, other] = [open(t), open(t)];
    const start = await asker.send(wait(session, 'wait')).next();
    await asker.frame(({ type }) => type === 'delta');
    t.match(await other.send({ op: 'cancel', ...name(start) }).next(), { type: 'ok', op: 'cancel' });
    t.match((await asker.run('wait')).at(-1), { type: 'done', status: 'cancelled' });
    const events = new Session(place, 'coder', session).events();
    t.equal(events.at(-1)?.type, 'done');
    t.notOk(events.some(({ type }) => type === 'message' || type === 'error'));
    t.match(await other.send({ op: 'cancel', ...name(start) }).next(), { type: 'error', code: 'ENOENT' });
  }
  t.match(await open(t).send({ op: 'cancel', id: 'nobody' }).next(), { type: 'error', code: 'ENOENT' });
}

async function approve(t: Test, { open, place }: Scene) {
  const control = `${place.store}/agent/coder.d/approval`;
  writeFileSync(control, 'ask\n');
  try {
    const client = open(t);
    client.send({ op: 'send', id: 'ask', session: 'ask', input: '!call fs.list {"path":"/workspace"}' });
    const { run, tool_call_id: id } = await client.frame(({ type }) => type === 'approval_request');
    const answer = { op: 'approve', run, id, decision: 'allow_once' };
    const stranger = open(t);
    for (const wrong of [
      answer,
      { ...answer, extra: 1 },
      { ...answer, decision: 'allow' },
      { ...answer, decision: undefined },
      { ...answer, run: undefined },
    ])
      t.match(await stranger.send(wrong).next(), { type: 'error', code: 'EINVAL' }, JSON.stringify(wrong));
    client.send(answer);
    const frames = await client.run('ask');
    t.match(
      frames.map(({ type }) => type).filter((type) => type !== 'delta'),
      ['start', 'tool_call', 'approval_request', 'approval_result', 'tool_result', 'message', 'done'],
    );
    t.match(frames[3], { decision: 'allow_once' });
    client.send(answer);
    t.match(
      await client.frame(({ type }) => type === 'error'),
      { code: 'EINVAL' },
      'a replay answers nothing',
    );
  } finally {
    writeFileSync(control, 'auto\n');
  }
}

async function sendingSide(t: Test, { open }: Scene) {
  const client = open(t);
  client.end(`${JSON.stringify({ op: 'tsh', id: 'rest', session: 'rest', args: ['--list'] })}\n`);
  await client.ended();
  t.match(client.frames.at(-1), { type: 'done', status: 'ok' });
}

async function leaves(t: Test, { open }: Scene) {
  const leaving = open(t).send({
    op: 'send',
    id: 'left',
    session: 'left',
    input: '!sleep 1000\n!say still here',
  });
  const start = await leaving.next();
  leaving.leave();
  const back = open(t).send({ op: 'resume', session: 'left', after: start['id'] });
  t.match(await back.next(), { type: 'resumed', last: start['id'] });
  t.match(await back.frame(({ type }) => type === 'message'), { content: [{ text: 'still here' }] });
  t.match(await back.frame(({ type }) => type === 'done'), { status: 'ok' });
}

async function strangers(t: Test, { open, socket, place }: Scene) {
  // The path itself keeps strangers out; here it lets them in, so that the kernel's credentials have to.
  const directories = [place.folder, `${place.folder}/run`, place.runtime, dirname(socket)];
  for (const directory of directories) chmodSync(directory, 0o755);
  chmodSync(socket, 0o666);
  process.seteuid!(NOBODY);
  const client = open(t);
  process.seteuid!(0);
  client.send('no JSON at all\n').send({ op: 'stop' });
  await client.ended();
  t.match(client.frames, [{ type: 'error', code: 'EACCES' }]);
  t.equal(client.frames.length, 1);
  for (const directory of directories) chmodSync(directory, 0o700);
  chmodSync(socket, 0o600);
  t.match(await open(t).send({ op: 'ping' }).next(), { type: 'pong' }, 'the agent goes on');
  t.match(readFileSync(`${place.runtime}/log/agent-coder.log`, 'utf8'), `refused uid ${NOBODY}`);
}

const NOBODY = 65_534;
