import { chownSync, existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { capabilityHost } from './asking-host.ts';

const POLICY =
  'allow coder_t mount:workspace read\nallow coder_t mount:workspace write\nallow coder_t tool:agent.update execute\nallow coder_t session:default write\n';

t.test('agent.update', async (t) => {
  const { host, client, ask } = await capabilityHost(t, { policy: POLICY });
  const { site } = host;
  host.installText('tool/agent.update', '#!/bin/true\n');
  const permit = (subject: string) =>
    site.write('store/tool/agent.update.d/policy', `allow ${subject} tool:agent.update execute\n`);
  permit('coder_t');
  const path = (control: string) => join(site.store, 'agent/coder.d', control);
  const read = (control: string) => (existsSync(path(control)) ? readFileSync(path(control), 'utf8') : '');
  const update = (more: object) => ({
    op: 'agent.update',
    agent: 'coder',
    session: 'default',
    run: '$RUN',
    control: 'system.md',
    content: 'forged\n',
    ...more,
  });
  const told = () => client.frames.filter(({ type }) => type === 'agent.update');

  await t.test(
    'a control that is not there yet is made, one that is there replaced; each is an event',
    async (t) => {
      site.write('store/agent/coder.d/prompt.template.md', 'old\n');
      t.strictSame(
        await ask(
          { frame: update({ request_id: 'a', content: 'Be terse.\n' }), expect: 1 },
          {
            frame: update({ request_id: 'b', control: 'prompt.template.md', content: '{{agent}}: 好\n' }),
            expect: 2,
          },
        ),
        [
          { type: 'ok', request_id: 'a' },
          { type: 'ok', request_id: 'b' },
        ],
      );
      t.equal(read('system.md'), 'Be terse.\n');
      t.equal(read('prompt.template.md'), '{{agent}}: 好\n');
      t.equal(lstatSync(path('system.md')).mode & 0o777, 0o644);
      t.match(told(), [
        { request_id: 'a', control: 'system.md' },
        { request_id: 'b', control: 'prompt.template.md' },
      ]);
    },
  );

  /** Each must be refused with this code and change nothing; the id of every one is used up. */
  const refusals: readonly [what: string, change: object, code: string, why: RegExp][] = [
    ['another agent', { agent: 'reviewer' }, 'EACCES', /agent reviewer is not the agent of this socket/],
    ['another session', { session: 'other' }, 'EACCES', /session other/],
    ['another run', { run: 'run-of-somebody' }, 'EACCES', /run run-of-somebody/],
    ['another control', { control: 'policy' }, 'EINVAL', /"control"/],
    ['a path for a control', { control: '../reviewer.d/system.md' }, 'EINVAL', /"control"/],
    ['NUL', { content: 'a\0b' }, 'EINVAL', /NUL/],
    ['an escape sequence', { content: 'a\u001b]52;c;x\u0007' }, 'EINVAL', /control character/],
    ['8 KiB and one byte', { content: 'x'.repeat(8193) }, 'EMSGSIZE', /8193 bytes/],
    ['8 KiB in characters, more in bytes', { content: '好'.repeat(3000) }, 'EMSGSIZE', /9000 bytes/],
    ['no text', { content: 7 }, 'EINVAL', /"content"/],
    ['no agent', { agent: undefined }, 'EINVAL', /"agent" is missing/],
    ['no request id', { request_id: undefined }, 'EINVAL', /"request_id" is missing/],
  ];

  await t.test('what is refused changes nothing, uses its id up, and is told to the owner', async (t) => {
    const before = read('system.md');
    const first = refusals.map(([, change], index) => ({
      frame: update({ request_id: `r${index}`, ...change }),
      expect: index + 1,
    }));
    const again = refusals.map((_, index) => ({
      frame: update({ request_id: `r${index}` }),
      expect: refusals.length + index + 1,
    }));
    // The last has no id that could be used up.
    const replies = await ask(...first, ...again.slice(0, -1));
    for (const [index, [what, , code, why]] of refusals.entries())
      t.match(replies[index], { type: 'error', code, message: why }, what);
    for (const reply of replies.slice(refusals.length)) t.match(reply, { type: 'error', code: 'EALREADY' });
    t.equal(read('system.md'), before);
    t.equal(told().length, 2, 'and is no event');
    t.match(host.stderr, /agent\.update: EACCES: agent reviewer is not the agent of this socket, coder/);
  });

  await t.test(
    'the id of a success is used up as well, and unknown fields (an old token) are ignored',
    async (t) => {
      const frame = update({ request_id: 'once', content: 'first\n', token: 'ignored' });
      const replies = await ask(
        { frame, expect: 1 },
        { frame: { ...frame, content: 'second\n' }, expect: 2 },
      );
      t.match(replies, [{ type: 'ok' }, { type: 'error', code: 'EALREADY' }]);
      t.equal(read('system.md'), 'first\n');
    },
  );

  await t.test('content of exactly 8 KiB, and none', async (t) => {
    const replies = await ask(
      { frame: update({ request_id: 'full', content: 'x'.repeat(8192) }), expect: 1 },
      { frame: update({ request_id: 'none', content: '', control: 'prompt.template.md' }), expect: 2 },
    );
    t.match(replies, [{ type: 'ok' }, { type: 'ok' }]);
    t.equal(read('system.md').length, 8192);
    t.equal(read('prompt.template.md'), '');
  });

  await t.test('it needs the right to run the tool of that name, on both sides, as it is now', async (t) => {
    permit('other_t');
    t.match(await ask({ frame: update({ request_id: 'p' }), expect: 1 }), [
      { code: 'EACCES', path: 'tool/agent.update', message: /^tool policy has no "allow coder_t/ },
    ]);
    permit('coder_t');
    site.write('store/agent/coder.d/policy', POLICY.replace(/.*agent\.update.*\n/, ''));
    t.match(await ask({ frame: update({ request_id: 'p' }), expect: 1 }), [
      { code: 'EACCES', path: 'tool/agent.update', message: /^agent policy has no "allow coder_t/ },
    ]);
    site.write('store/agent/coder.d/policy', POLICY);
    t.match(await ask({ frame: update({ request_id: 'p', content: 'again\n' }), expect: 1 }), [
      { type: 'ok' },
    ]);
    t.equal(read('system.md'), 'again\n');
  });

  if (process.geteuid!() === 0) {
    await t.test("root's host leaves the control to whom the controls belong", async (t) => {
      chownSync(path(''), 0, 12345);
      t.match(await ask({ frame: update({ request_id: 'o' }), expect: 1 }), [{ type: 'ok' }]);
      t.equal(lstatSync(path('system.md')).gid, 12345);
    });
  }
});
