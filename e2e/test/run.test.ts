import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { type Frame, framesOf, typesOf } from '../frames.ts';
import { runningPlace } from '../place.ts';
import { Session } from '../session.ts';
import { SocketClient } from '../socket.ts';
import { until } from '../until.ts';

const place = await runningPlace(t);
writeFileSync(`${place.workspace}/README.md`, 'read me\n');
writeFileSync(`${place.workspace}/中文 name`, '');
const session = new Session(place);
const send = (...text: string[]) => place.ctx(['agent', 'send', 'coder', ...text]);
const client = (t: Test) => new SocketClient(t, `${place.runtime}/agent/coder.sock`);
const runs = () => session.events().filter(({ type }) => type === 'start').length;
/** Resolves once a run that began after now is active. */
function newRun(): Promise<Frame> {
  const before = runs();
  return until('a new run', () => runs() > before && session.lastRun()[0]);
}

t.test('a real tool lists the real workspace, and the session holds all of it', async (t) => {
  const { code, out } = await send('!call fs.list {"path":"/workspace"}');
  t.equal(code, 0);
  const names = (JSON.parse(out) as { name: string }[]).map(({ name }) => name);
  t.strictSame(names, readdirSync(place.workspace).sort());
  const [user, tool, answer] = session.messages();
  t.match(user, { role: 'user', content: [{ text: '!call fs.list {"path":"/workspace"}' }] });
  t.match(tool, { role: 'tool', content: [{ type: 'tool_result', name: 'fs.list', status: 'ok' }] });
  t.match(answer, { role: 'assistant', content: [{ type: 'text', text: out.trimEnd() }] });
  const run = session.lastRun();
  t.strictSame(typesOf(run), ['start', 'tool_call', 'tool_result', 'message', 'done']);
  t.match(run.at(-1), { status: 'ok' });
  t.strictSame(new Set(session.messages().map((message) => message.run)), new Set([run[0]?.run]));
  t.equal(session.read('state'), 'done\n');
  t.equal(session.read('cwd'), '/workspace\n');
});

t.test('text, tsh and a fault of the model end with their exit codes', async (t) => {
  t.match(await send('!say 你好'), { code: 0, out: '你好\n', err: '' });
  const tsh = await send('!tsh fs.read README.md');
  t.equal(tsh.code, 0);
  t.match(tsh.out, /read me/);
  t.match(typesOf(session.lastRun()), ['start', 'tool_call', 'tool_result', 'message', 'done']);
  const failed = await send('!fail EACCES');
  t.strictSame([failed.code, failed.out], [13, '']);
  t.match(failed.err, /^ctx: EACCES: .*\n/);
  t.match(session.lastRun().slice(-2), [
    { type: 'error', code: 'EACCES' },
    { type: 'done', status: 'error' },
  ]);
});

t.test('the frames are those that are stored', async (t) => {
  const { code, out } = await send('--raw', '!say one\n!sleep 10\n!say two');
  t.equal(code, 0);
  t.strictSame(framesOf(out), session.lastRun());
});

t.test('a denied tool names the layer and leaves an event', async (t) => {
  const denied = await send('!call fs.write {"path":"x","content":"y"}');
  t.match(denied.out, 'EACCES: tool/fs.write: agent policy has no "allow coder_t tool:fs.write execute"');
  t.notOk(existsSync(`${place.workspace}/x`));
  t.match(
    session.lastRun().find(({ type }) => type === 'tool_result'),
    {
      name: 'fs.write',
      status: 'error',
      code: 'EACCES',
    },
  );

  const policy = await place.must(t, ['cat', 'agent/coder.d/policy']);
  const without = policy.replace('allow coder_t tool:fs.stat execute\n', '');
  t.match(await send('!call fs.stat {"path":"README.md"}'), { code: 0, out: /"size":8/ });
  await place.must(t, ['set', 'agent/coder.d/policy', '-'], { input: without });
  const revoked = await send('!call fs.stat {"path":"README.md"}');
  t.match(revoked.out, 'EACCES: tool/fs.stat: agent policy has no "allow coder_t tool:fs.stat execute"');
  await place.must(t, ['set', 'agent/coder.d/policy', '-'], { input: policy });

  const own = await place.must(t, ['cat', 'tool/fs.stat.d/policy']);
  await place.must(t, ['set', 'tool/fs.stat.d/policy', '-'], {
    input: own.replace(/^allow coder_t.*\n/m, ''),
  });
  t.match((await send('!call fs.stat {"path":"README.md"}')).out, /EACCES: tool\/fs\.stat: .*policy/);
  await place.must(t, ['set', 'tool/fs.stat.d/policy', '-'], { input: own });
});

t.test('an approval that nobody answers is a refusal', async (t) => {
  await place.must(t, ['set', 'agent/coder.d/approval', 'ask']);
  const { out } = await send('!call fs.stat {"path":"README.md"}');
  t.match(out, /EACCES: tool\/fs\.stat: the call was denied/);
  t.match(typesOf(session.lastRun()), [
    'start',
    'tool_call',
    'approval_request',
    'approval_result',
    'tool_result',
  ]);
  await place.must(t, ['set', 'agent/coder.d/approval', 'auto']);
});

t.test('an interrupt cancels the run', async (t) => {
  const begun = newRun();
  const { code } = await place.ctx(['agent', 'send', 'coder', '!sleep 60000\n!say never'], {
    signal: begun.then(() => 'SIGINT'),
  });
  t.equal(code, 130);
  t.match(session.lastRun().at(-1), { type: 'done', status: 'cancelled' });
  t.equal(session.read('state'), 'cancelled\n');
  t.notMatch(session.read('messages.jsonl'), '"text":"never"');
  t.match(await send('!say next'), { code: 0, out: 'next\n' });
});

t.test('another person cancels by command, and the sender learns of it', async (t) => {
  const begun = newRun();
  const sent = send('!sleep 60000');
  await begun;
  t.match(await place.must(t, ['agent', 'cancel', 'coder']), /^cancelled /);
  t.equal((await sent).code, 130);
  const idle = await place.ctx(['agent', 'cancel', 'coder']);
  t.strictSame([idle.code, idle.err], [1, 'ctx: ENOENT: session/default: no run is active\n']);
});

t.test('resume prints what was stored after an event', async (t) => {
  const all = session.events();
  const { out } = await place.ctx(['agent', 'resume', 'coder', '--json', '--after', 'e2']);
  t.strictSame(
    framesOf(out).filter(({ seq }) => seq !== undefined),
    all.slice(2),
  );
  t.match(framesOf(out).at(-1), { type: 'resumed', last: `e${all.length}` });
  const read = await place.ctx(['agent', 'resume', 'coder']);
  t.strictSame(
    [read.code, /next\n/.test(read.out)],
    [0, true],
    'that the last run was cancelled is no failure now',
  );
  const begun = newRun();
  const sent = send('!sleep 500\n!fail EINVAL');
  await begun;
  t.match(
    await place.ctx(['agent', 'resume', 'coder', '--after', 'e2']),
    { code: 2 },
    'the active run is followed',
  );
  t.equal((await sent).code, 2);
});

t.test('ping, unknown and broken frames leave the connection usable', async (t) => {
  const raw = client(t);
  raw.ask({ op: 'fly' });
  raw.ask({ op: 'ping' });
  t.match(await raw.frame(({ type }) => type === 'error'), { code: 'EINVAL' });
  t.match(await raw.frame(({ type }) => type === 'pong'), { type: 'pong' });
});

t.test('the same request again replays its frames and runs nothing', async (t) => {
  const raw = client(t);
  const request = { op: 'send', id: 'once', session: 'default', input: '!say once' };
  raw.ask(request);
  await raw.frame(({ type }) => type === 'done');
  const first = [...raw.frames];
  const count = session.events().length;
  const again = client(t);
  again.ask(request);
  await again.frame(({ type }) => type === 'done');
  t.strictSame(again.frames, first);
  t.equal(session.events().length, count);
  again.ask({ ...request, input: '!say twice' });
  t.match(await again.frame(({ type }) => type === 'error'), { code: 'EINVAL', request_id: 'once' });
});

t.test('a busy session queues sixteen and refuses the next with one line', async (t) => {
  const raw = client(t);
  const begun = newRun();
  raw.ask({ op: 'send', id: 'active', session: 'default', input: '!sleep 60000' });
  await begun;
  for (let i = 1; i <= 16; i++)
    raw.ask({ op: 'send', id: `wait${i}`, session: 'default', input: `!say ${i}` });
  raw.ask({ op: 'status', session: 'default' });
  t.match(await raw.frame(({ type }) => type === 'status'), { state: 'active' });
  const { code, out, err } = await send('!say too much');
  t.strictSame([code, out], [69, '']);
  t.match(err, /^ctx: EAGAIN: .*\n(hint: .*\n)?$/);
  for (let i = 1; i <= 16; i++) raw.ask({ op: 'cancel', id: `wait${i}`, session: 'default' });
  raw.ask({ op: 'cancel', id: 'active', session: 'default' });
  await raw.frame(({ type, status }) => type === 'done' && status === 'cancelled');
  t.match(await send('!say free again'), { code: 0, out: 'free again\n' });
  t.notMatch(session.read('messages.jsonl'), '!say too much');
});

t.test('the reviewer reads the workspace and cannot write it', async (t) => {
  await place.must(t, ['agent', 'start', 'reviewer']);
  const grant = { input: '' };
  for (const [object, subject] of [
    ['agent/reviewer.d/policy', 'allow reviewer_t tool:fs.write execute'],
    ['tool/fs.write.d/policy', 'allow reviewer_t tool:fs.write execute'],
    ['agent/reviewer.d/tools', 'fs.write'],
  ] as const)
    await place.must(t, ['append', object, subject], grant);
  const review = (text: string) => place.ctx(['agent', 'send', 'reviewer', text]);
  t.match((await review('!call fs.read {"path":"/workspace/README.md"}')).out, /read me/);
  t.match((await review('!call fs.write {"path":"/workspace/x","content":"y"}')).out, /EROFS|EACCES/);
  t.notOk(existsSync(`${place.workspace}/x`));
  await place.must(t, ['agent', 'stop', 'reviewer']);
});
