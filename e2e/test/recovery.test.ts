import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { runningPlace } from '../place.ts';
import { daemonPid, launchedPid, Seen, treeOf } from '../processes.ts';
import { Session } from '../session.ts';
import { until } from '../until.ts';

const place = await runningPlace(t);
const session = new Session(place);
const send = (text: string) => place.ctx(['agent', 'send', 'coder', text]);
const starts = () => session.events().filter(({ type }) => type === 'start').length;

/** A send whose run is active when this resolves. */
async function activeSend(text: string): Promise<{ ended: ReturnType<typeof send> }> {
  const before = starts();
  const ended = send(text);
  await until('an active run', () => starts() > before);
  return { ended };
}

async function killHard(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await until(`the end of ${pid}`, () => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z');
    } catch {
      return true;
    }
  });
}

/** A whole turn works, and its tool sees the workspace. */
async function works(t: Test): Promise<void> {
  t.match(await send('!call fs.list {"path":"/workspace"}'), { code: 0, out: '[]\n' });
  t.match(session.lastRun().at(-1), { type: 'done', status: 'ok' });
}

t.test('the agent host dies during a run', async (t) => {
  const { ended } = await activeSend('!sleep 60000\n!say never');
  const broken = session.lastRun()[0]?.run;
  const pid = launchedPid(place, 'coder/socket.json');
  await killHard(pid);
  const { code, err } = await ended;
  t.equal(code, 69);
  t.match(err, /^ctx: EHOSTDOWN: .*\nhint: /);
  t.match(await send('!say early'), { code: 69, err: /hint: ctx agent start coder/ });
  t.match(await place.must(t, ['status']), /coder +dead/);

  const start = await place.must(t, ['agent', 'start', 'coder']);
  t.match(start, `found: the socket host (pid ${pid}) had ended without cleaning up\n`);
  t.match(
    session.events().filter((event) => event.run === broken && event.type !== 'delta'),
    [{ type: 'start' }, { type: 'error', code: 'EHOSTDOWN' }, { type: 'done', status: 'error' }],
  );
  t.match(session.events().at(-1), { type: 'agent.start', found: [new RegExp(`${broken}.*unfinished`)] });
  t.match(
    session.messages().at(-1),
    { role: 'user', run: broken },
    'the message that was acknowledged stays',
  );
  await works(t);
  t.notMatch(session.read('messages.jsonl'), /"text":"(never|early)"/);
});

t.test('the terminal dies during a run, which goes on', async (t) => {
  const { ended } = await activeSend('!sleep 500\n!say still here');
  const pid = launchedPid(place, 'coder/terminal-default.json');
  const ctxterm = await until('ctxterm', () =>
    treeOf(pid).find((one) => new Seen(one).command[1]?.endsWith('/ctxterm.js')),
  );
  await killHard(ctxterm);
  t.match(await ended, { code: 0, out: 'still here\n' });
  await until('its end', () => {
    try {
      return !readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch {
      return true;
    }
  });
  const watch = await place.ctx(['agent', 'watch', 'coder']);
  t.equal(watch.code, 69);
  t.match(watch.err, /^ctx: EHOSTDOWN: .*\/ctx\/home\/.*\/run\/.*\nhint: ctx agent start coder/);
  t.match(await place.must(t, ['agent', 'start', 'coder']), /^coder is ready/m);
  t.not(launchedPid(place, 'coder/terminal-default.json'), pid);
  await works(t);
});

t.test('the mount dies during a run', async (t) => {
  const { ended } = await activeSend('!sleep 500\n!call fs.list {"path":"/workspace"}\n!say after');
  const pid = daemonPid(place);
  const terminal = launchedPid(place, 'coder/terminal-default.json');
  await killHard(pid);
  await ended;
  t.match(session.lastRun().at(-1), { type: 'done' }, 'the run ends, one way or the other');
  for (const args of [['status'], ['agent', 'start', 'coder'], ['agent', 'send', 'coder', 'hi']]) {
    const { code, out, err } = await place.ctx(args);
    t.equal(code, 69, args.join(' '));
    t.match(out + err, /the mount (is dead|does not answer)/);
    t.match(out + err, /ctx mount/);
  }
  t.match(
    await place.must(t, ['mount']),
    `found: the daemon of the last mount (pid ${pid}) had ended without unmounting\nmounted `,
  );
  t.match(
    await place.must(t, ['agent', 'start', 'coder']),
    `found: stopped the terminal of session "default" (pid ${terminal}): the mount that it saw has ended\n`,
  );
  await works(t);
});

t.test('everything dies at once', async (t) => {
  const { ended } = await activeSend('!sleep 60000');
  const pids = [
    daemonPid(place),
    launchedPid(place, 'coder/socket.json'),
    launchedPid(place, 'coder/terminal-default.json'),
  ];
  await Promise.all(pids.map(killHard));
  t.equal((await ended).code, 69);
  await place.must(t, ['mount']);
  const start = await place.must(t, ['agent', 'start', 'coder']);
  t.equal(start.match(/had ended without cleaning up/g)?.length, 2);
  await works(t);
  const { out } = await place.ctx(['doctor']);
  t.match(out, /receipts +none is stale/);
});

t.test('a mount daemon that is stopped is named, not waited for', async (t) => {
  const pid = daemonPid(place);
  t.teardown(() => void process.kill(pid, 'SIGCONT'));
  process.kill(pid, 'SIGSTOP');
  await until('it is stopped', () => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') T'));
  const why = new RegExp(`its daemon is stopped \\(pid ${pid}\\)`);
  for (const args of [['ls'], ['agent', 'history', 'coder'], ['cat', 'agent/coder.d/model']])
    t.match(
      await place.ctx(args),
      { code: 69, err: new RegExp(`ENOTCONN: .*${why.source}\nhint: kill -CONT ${pid}\n`) },
      args.join(' '),
    );
  t.match(await place.ctx(['status']), {
    code: 69,
    out: new RegExp(`${why.source}[^]*try +kill -CONT ${pid}\n`),
  });
  t.match(await place.ctx(['doctor']), { out: why });
  process.kill(pid, 'SIGCONT');
  t.match(await place.must(t, ['status']), / \(ready, kernel\)/);
  await works(t);
});
