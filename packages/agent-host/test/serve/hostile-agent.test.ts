import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
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
  ['big frame', 'EINVAL', /longer than 1048576 bytes/],
  ['endless', 'EINVAL', /more than 16777216 bytes/],
  ['silent', 'EINVAL', /no output for 2 s/],
  ['lingering', 'EINVAL', /no output for 2 s/],
  ['fails', 'EACCES', /exited with code 13: cannot go on/],
  ['dies', 'EIO', /exited with code 137|SIGKILL/],
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
    });
  }

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
