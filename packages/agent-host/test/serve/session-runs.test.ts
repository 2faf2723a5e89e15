import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { parseObjectName, parseRequestId, parseSessionName } from '@cortexfs/abi/names';
import t from 'tap';
import type { HostContext } from '../../src/serve/host-context.ts';
import { type Execute, SessionRuns } from '../../src/serve/operations/session-runs.ts';
import { ApprovalDesk } from '../../src/serve/run/approval.ts';
import { RunRecorder } from '../../src/serve/run/recorder.ts';
import type { RunOrder } from '../../src/serve/run/run.ts';
import { MAX_OPEN_LOGS } from '../../src/serve/session/descriptors.ts';
import { privateGround } from '../../src/serve/session/ground.ts';
import { SessionStore } from '../../src/serve/session/session-store.ts';
import { temporaryDirectory } from '../temporary.ts';

const agent = parseObjectName('coder');
const order = (id: string, sha256 = 'aa'): RunOrder => ({
  requestId: parseRequestId(id),
  sha256,
  task: { op: 'send', input: id },
  cwd: '/workspace',
  asker: undefined as never,
});

/** The runs of one new session; `execute` takes the place of the agent's processes, the files are real. */
async function runsOf(t: Parameters<typeof temporaryDirectory>[0], execute: Execute) {
  const directory = temporaryDirectory(t);
  const store = new SessionStore(privateGround(directory, 0, agent), agent, 0);
  t.teardown(() => store.close());
  const session = await store.openOrCreate(parseSessionName('default'), '/workspace');
  const site = { root: directory, store: directory, runtime: join(directory, 'run') };
  const host = {
    site,
    agent,
    workspace: directory,
    config: directory,
    launch: undefined as never,
    ahead: undefined as never,
    approvals: new ApprovalDesk(),
    log: () => {},
    hooks: () => ({ pre: [], post: [] }),
  } satisfies HostContext;
  return { runs: new SessionRuns(host, session, () => {}, execute), session };
}

/** Records a whole run that answers. */
const answering: Execute = async (_host, session, run, started) => {
  const recorder = new RunRecorder(session, run);
  started(await recorder.begin());
  await recorder.answer(`answer to ${run.order.requestId}`);
};

t.test('a hundred ids, each sent ten times: a hundred runs', async (t) => {
  const { runs, session } = await runsOf(t, answering);
  const places = new Map<string, Set<number>>();
  for (let round = 0; round < 10; round++) {
    for (let index = 0; index < 100; index++) {
      const id = `id${index}`;
      const { seq } = await runs.submit(order(id));
      places.set(id, (places.get(id) ?? new Set()).add(seq));
    }
  }
  await runs.stop();
  t.ok(
    [...places.values()].every((seqs) => seqs.size === 1),
    'each id has one place',
  );
  const starts = [...session.events.headsBackward()].filter(({ type }) => type === 'start');
  t.equal(starts.length, 100);
});

t.test(
  'a run that cannot be written ends its followers, and the next run finds a whole session',
  async (t) => {
    let full = true;
    const { runs, session } = await runsOf(t, async (host, session, run, started) => {
      if (!full) return answering(host, session, run, started);
      started(await new RunRecorder(session, run).begin());
      throw new CortexError('ENOSPC', 'no space left on device');
    });
    const { live } = await runs.submit(order('first'));
    await new Promise<void>((resolve) =>
      live!.broken.aborted ? resolve() : live!.broken.addEventListener('abort', () => resolve()),
    );
    t.match(live!.broken.reason, { code: 'ENOSPC' });
    full = false;
    await runs.submit(order('second'));
    await runs.stop();
    const types = [...session.events.headsBackward()].reverse().map(({ type }) => type);
    t.strictSame(types.slice(0, 4), ['start', 'error', 'done', 'start']);
  },
);

t.test('a run that could not begin is an error of its request, and the id stays free', async (t) => {
  let broken = true;
  const { runs } = await runsOf(t, (host, session, run, started) => {
    if (broken) throw new CortexError('EINVAL', 'a control is unreadable');
    return answering(host, session, run, started);
  });
  await t.rejects(runs.submit(order('again')), { code: 'EINVAL' });
  broken = false;
  t.match(await runs.submit(order('again')), { seq: 1 });
  await runs.stop();
});

t.test('many sessions, few open files', async (t) => {
  const store = new SessionStore(privateGround(temporaryDirectory(t), 0, agent), agent, 0);
  t.teardown(() => store.close());
  const count = MAX_OPEN_LOGS;
  for (let index = 0; index < count; index++) {
    const session = await store.openOrCreate(parseSessionName(`s${index}`), '/workspace');
    session.events.append({ type: 'agent.stop', agent, reason: 'first' });
  }
  t.ok(
    readdirSync('/proc/self/fd').length < MAX_OPEN_LOGS + 60,
    `${readdirSync('/proc/self/fd').length} descriptors`,
  );
  const first = await store.open(parseSessionName('s0'));
  first.events.append({ type: 'agent.stop', agent, reason: 'again' });
  await first.events.sync();
  t.equal([...first.events.backward()].length, 2, 'a closed log is opened again and goes on');
});
