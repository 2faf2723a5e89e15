import { setMaxListeners } from 'node:events';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseObjectName, parseRunId, parseSessionName, parseSpaceName } from '@cortexfs/abi/names';
import t from 'tap';
import type { Session } from '../../../src/serve/session/session.ts';
import { Sessions } from '../../../src/serve/session/sessions.ts';
import { MAX_TEMP_SESSIONS } from '../../../src/serve/session/temp-sessions.ts';
import { temporaryDirectory } from '../../temporary.ts';

const agent = parseObjectName('coder');
const name = parseSessionName('talk');
const team = parseSpaceName('team');
const shared = { session: name, scope: 'shared', space: team } as const;
const temp = (session = 'talk') => ({ session: parseSessionName(session), scope: 'temp' }) as const;
const here = new AbortController().signal;
setMaxListeners(0, here);

function sessionsIn(store: string, ended: Session[] = []) {
  return new Sessions({ store, agent, owner: 0, end: async (session) => void ended.push(session) });
}

/** A store with a shared space of these permission bits. */
function storeWithSpace(test: Parameters<typeof temporaryDirectory>[0], mode: number): string {
  const store = temporaryDirectory(test);
  mkdirSync(join(store, 'shared/team'), { recursive: true });
  chmodSync(join(store, 'shared/team'), mode);
  return store;
}

const modeOf = (path: string) => lstatSync(path).mode & 0o7777;

t.test('a shared session lies in its space, with its modes, whatever the umask', async (t) => {
  const umask = process.umask(0o077);
  t.teardown(() => process.umask(umask));
  for (const [mode, files] of [
    [0o2770, 0o660],
    [0o755, 0o644],
    [0o700, 0o600],
  ] as const) {
    const store = storeWithSpace(t, mode);
    const sessions = sessionsIn(store);
    const session = await sessions.openOrCreate(shared, '/workspace', here);
    await sessions.touch(session, '/workspace');
    session.events.append({ type: 'start', run: parseRunId('R1') });
    const base = join(store, 'shared/team/agent/coder/session');
    t.strictSame(readdirSync(base).sort(), ['index', 'talk']);
    for (const path of ['', 'talk', 'talk/context', 'talk/terminal', 'index', 'index/by-cwd'])
      t.equal(modeOf(join(base, path)), mode, `${mode.toString(8)} ${path}`);
    for (const path of [
      'events.jsonl',
      'messages.jsonl',
      'state',
      'cwd',
      'meta.json',
      '../index/list',
      '../index/current',
    ])
      t.equal(modeOf(join(base, 'talk', path)), files, `${mode.toString(8)} ${path}`);
    t.match(JSON.parse(readFileSync(join(base, 'talk/meta.json'), 'utf8')), {
      scope: 'shared',
      space: 'team',
    });
    t.equal(readFileSync(join(base, 'index/list'), 'utf8'), 'talk\n');
    t.equal(await sessions.openOrCreate(shared, '/workspace', here), session, 'it is opened once');
    await sessions.close();
    t.notOk(existsSync(join(store, 'home/0/agent/coder/session/talk')), 'no private one of that name');
  }
});

t.test('an unfinished run of a shared session is settled by the next host', async (t) => {
  const store = storeWithSpace(t, 0o700);
  let sessions = sessionsIn(store);
  const session = await sessions.openOrCreate(shared, '/', here);
  session.events.append({ type: 'start', run: parseRunId('R1') });
  await sessions.close();
  sessions = sessionsIn(store);
  const [recovered] = await sessions.recover(() => t.fail('nothing is in the way'));
  t.match(recovered?.repairs.settled, [{ run: 'R1', status: 'error' }]);
  t.match(recovered, { scope: 'shared', space: 'team', name: 'talk' });
  await sessions.close();
});

t.test('what is not there is ENOENT, and looking makes nothing', async (t) => {
  const store = storeWithSpace(t, 0o700);
  const sessions = sessionsIn(store);
  const none = { ...shared, space: parseSpaceName('none') };
  await t.rejects(sessions.open(shared, here), { code: 'ENOENT' });
  await t.rejects(sessions.open(none, here), { code: 'ENOENT' });
  await t.rejects(sessions.openOrCreate(none, '/', here), { code: 'ENOENT' }, 'a space is never made');
  await t.rejects(sessions.open(temp(), here), { code: 'ENOENT' });
  t.strictSame(readdirSync(join(store, 'shared')), ['team']);
  t.strictSame(readdirSync(join(store, 'shared/team')), []);
  await sessions.close();
});

t.test('links that another member of the space planted are not followed', async (t) => {
  for (const planted of ['agent', 'agent/coder', 'agent/coder/session', 'agent/coder/session/talk']) {
    const store = storeWithSpace(t, 0o770);
    const outside = join(store, 'outside');
    mkdirSync(outside);
    const path = join(store, 'shared/team', planted);
    mkdirSync(join(path, '..'), { recursive: true });
    symlinkSync(outside, path);
    const sessions = sessionsIn(store);
    await t.rejects(sessions.openOrCreate(shared, '/', here), { code: 'ELOOP' }, planted);
    t.strictSame(readdirSync(outside), [], planted);
    await sessions.close();
  }
});

t.test('a temp session is on no disk and ends with the last client that used it', async (t) => {
  const store = temporaryDirectory(t);
  const ended: Session[] = [];
  const sessions = sessionsIn(store, ended);
  const [one, two] = [new AbortController(), new AbortController()];
  const session = await sessions.openOrCreate(temp(), '/workspace', one.signal);
  await sessions.touch(session, '/workspace');
  session.events.append({ type: 'start', run: parseRunId('R1') });
  session.messages.append({ role: 'user', run: parseRunId('R1'), content: [{ type: 'text', text: 'hi' }] });
  session.requests.record('id', { run: parseRunId('R1'), seq: 1, sha256: 'x' });
  await session.finish('done', 'answer');
  t.equal(session.files.read('latest'), 'answer\n');
  t.equal(session.files.state(), 'done');
  t.equal([...session.events.backward()].length, 1);
  t.equal(await sessions.open(temp(), two.signal), session);
  t.strictSame(readdirSync(join(store, 'home/0/agent/coder/session')), ['index']);
  one.abort();
  await new Promise(setImmediate);
  t.strictSame(ended, [], 'somebody is still there');
  two.abort();
  await new Promise(setImmediate);
  t.strictSame(ended, [session]);
  await t.rejects(sessions.open(temp(), here), { code: 'ENOENT' });
  t.not(await sessions.openOrCreate(temp(), '/', here), session, 'the name begins anew');
  const gone = AbortSignal.abort();
  await sessions.openOrCreate(temp('late'), '/', gone);
  await new Promise(setImmediate);
  t.equal(ended.length, 2, 'a client that was gone already keeps nothing');
  await sessions.close();
});

t.test('temp and private sessions of one name are two, and temp ones are limited', async (t) => {
  const sessions = sessionsIn(temporaryDirectory(t));
  const own = await sessions.openOrCreate({ session: name }, '/', here);
  t.not(await sessions.openOrCreate(temp(), '/', here), own);
  for (let index = 1; index < MAX_TEMP_SESSIONS; index++)
    await sessions.openOrCreate(temp(`t${index}`), '/', here);
  await t.rejects(sessions.openOrCreate(temp('more'), '/', here), { code: 'EAGAIN' });
  await sessions.close();
});
