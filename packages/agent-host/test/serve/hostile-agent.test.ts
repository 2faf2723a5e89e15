import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { atScale } from '../../../../setup/test-scale.ts';
import { TestHost } from './host.ts';

/** What an agent's executable may not do; every row ends its run with this code, and an honest run beside it works. */
const INVALID: readonly [input: string, code: string, why: RegExp][] = [
  ...[
    'start',
    'done',
    'error',
    'tool_result',
    'approval_request',
    'approval_result',
    'agent.update',
    'unheard',
  ].map(
    (type) => [`reserved ${type}`, 'EINVAL', /may not write a frame of type/] as [string, string, RegExp],
  ),
  ['malformed', 'EINVAL', /invalid JSON/],
  ['duplicate key', 'EINVAL', /duplicate key/],
  ['after call', 'EINVAL', /after the tool call/],
  ['two calls', 'EINVAL', /after the tool call/],
  ['repeated id', 'EINVAL', /was used before/],
  ['two messages', 'EINVAL', /after the message/],
  ['other run', 'EINVAL', /another run/],
  ['no newline', 'EINVAL', /no newline/],
  ['nothing', 'EINVAL', /neither an answer nor a tool call/],
  ['approve', 'EINVAL', /may not write a frame of type/],
  ['call of another run', 'EINVAL', /another run/],
  ['surrogate', 'EINVAL', /surrogate/],
  ['raw NUL', 'EINVAL', /invalid JSON/],
  ['no UTF-8', 'EINVAL', /not valid UTF-8/],
  ['deep', 'EINVAL', /deep/],
  ['__proto__', 'EINVAL', /may not write a frame of type/],
  ['frame of 1048577', 'EINVAL', /longer than 1048576 bytes/],
  [`no line end for ${1024 ** 3}`, 'EINVAL', /longer than 1048576 bytes/],
  ['endless', 'EINVAL', /more than 16777216 bytes/],
  ['silent', 'EINVAL', /no output for 2 s/],
  ['lingering', 'EINVAL', /no output for 2 s/],
  ['fails', 'EACCES', /exited with code 13: cannot go on/],
  ['dies', 'EIO', /exited with code 137|SIGKILL/],
];

/** What looks hostile and is allowed: the run ends well, with this answer. */
const ALLOWED: readonly [what: string, input: string, answer: RegExp, session?: string][] = [
  ['a frame of 1 MiB less one byte', 'frame of 1048575', /^a{1000000,}$/],
  ['a frame of exactly 1 MiB', 'frame of 1048576', /^a{1000000,}$/],
  ['a key __proto__ that nobody reads', 'harmless __proto__', /^mine$/],
  ['an escaped NUL', 'escaped NUL', /^a\0b$/],
  ['an executable that never reads more than a pipe holds', 'x'.repeat(65_500), /^I did not listen$/, 'deaf'],
  ['error output without end', `errors of ${atScale(1024 ** 3, 64 * 1024 ** 2)}`, /^said enough$/],
  ['a daemon that left its session and its parent', 'daemon', /^it lives$/],
  ['a daemon that holds the output', 'daemon with the output', /^it lives$/],
];

t.test('a hostile agent executable', async (t) => {
  const host = await TestHost.start(t);
  const client = await host.client();
  t.teardown(() => client.close());

  for (const [index, [input, code, why]] of INVALID.entries()) {
    await t.test(`${input}: the run ends with ${code}`, async (t) => {
      const session = `s${index}`;
      const frames = await client.send({ op: 'send', id: `bad${index}`, session, input }).run(`bad${index}`);
      t.match(frames.at(-2), { type: 'error', code, message: why });
      t.match(frames.at(-1), { type: 'done', status: 'error' });
      t.equal(frames.filter(({ type }) => type === 'done').length, 1);
      t.notOk(
        frames.some(({ type }) => type === 'message'),
        'no answer is recorded',
      );
      t.equal(host.file('state', session), 'error\n');
      t.match(host.records('events.jsonl', session).at(-2), { type: 'error', code }, 'it is on record');
    });
  }

  for (const [index, [what, input, answer, session = `ask${index}`]] of ALLOWED.entries()) {
    await t.test(`${what} is no fault`, async (t) => {
      const id = `allowed${index}`;
      const frames = await client.send({ op: 'send', id, session, input }).run(id);
      const message = frames.find(({ type }) => type === 'message');
      t.match((message?.['content'] as [{ text: string }] | undefined)?.[0].text, answer);
      t.match(frames.at(-1), { type: 'done', status: 'ok' });
      t.strictSame(processesOf(String(message?.['run'])), [], 'nothing of the run is left');
    });
  }

  await t.test('the host is as small as before', (t) => {
    const peak = Number(
      /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${host.process!.pid}/status`, 'utf8'))![1],
    );
    t.ok(peak < 200 * 1024, `${peak} KiB at most`);
    t.end();
  });

  await t.test('calls that came with invalid output were not made', async (t) => {
    const ran = readFileSync(join(host.site.workspace, 'ran'), 'utf8').trim().split('\n');
    t.equal(ran.length, 1, 'only the first use of the repeated id ran');
  });

  await t.test('nothing of them is left running', async (t) => {
    const frames = await client
      .send({ op: 'send', id: 'good', session: 'good', input: 'answer' })
      .run('good');
    t.match(frames.at(-1), { status: 'ok' });
    t.strictSame(childrenOf(host.process!.pid!), []);
  });
});

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
}

/** Processes of a run, by their environment; those of others cannot be read. */
function processesOf(run: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`CTX_RUN_ID=${run}\0`);
    } catch {
      return false;
    }
  });
}
