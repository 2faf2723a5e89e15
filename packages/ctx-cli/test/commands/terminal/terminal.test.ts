import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import t, { type Test } from 'tap';
import { ctx, place } from '../../process.ts';

/** A root with one agent and one recorded terminal a session. */
function rootWith(t: Test, terminals: Readonly<Record<string, string>>) {
  const { folder, env, runtime } = place(t);
  const root = `${folder}/root`;
  mkdirSync(`${root}/agent/coder.d`, { recursive: true });
  writeFileSync(`${root}/status`, 'ready\n');
  writeFileSync(`${root}/agent/coder.d/owner`, `${process.getuid!()}\n`);
  const records = (session: string) =>
    `home/${process.getuid!()}/agent/coder/session/${session}/terminal/terminal-coder-${session}`;
  for (const [session, state] of Object.entries(terminals)) {
    mkdirSync(`${root}/${records(session)}`, { recursive: true });
    writeFileSync(
      `${root}/${records(session)}/meta.json`,
      `${JSON.stringify({
        id: `terminal-coder-${session}`,
        agent: 'coder',
        session,
        owner: process.getuid!(),
        cwd: '/workspace',
        command: ['/ctx/bin/tsh'],
        state,
        socket: '/run/x.sock',
        created_at: '2026-01-02T03:04:05.678Z',
        size: { cols: 80, rows: 24 },
      })}\n`,
    );
    writeFileSync(`${root}/${records(session)}/events.jsonl`, '');
  }
  return { root, env, runtime, records };
}

t.test('list shows every terminal, one that nobody serves as lost', async (t) => {
  const { root, env, runtime } = rootWith(t, { default: 'exited', served: 'running', work: 'running' });
  const directory = `${runtime}/terminal/coder/served`;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const server = createServer().listen(`${directory}/main.sock`);
  t.teardown(() => server.close());
  const { code, out } = await ctx(env, ['terminal', 'list', '--root', root]);
  t.equal(code, 0);
  t.match(out.split('\n'), [
    /^terminal-coder-default +exited +80x24 {2}2026-01-02T03:04:05.678Z$/,
    /^terminal-coder-served +running /,
    /^terminal-coder-work +lost /,
    '',
  ]);
  const listed = await ctx(env, ['terminal', 'list', 'coder', '--root', root, '--json']);
  t.match(JSON.parse(listed.out), [{ state: 'exited' }, { state: 'running' }, { state: 'lost' }]);
  t.match(await ctx(env, ['terminal', 'list', 'nobody', '--root', root]), { code: 0, out: '' });
});

t.test('status says how the program ended, also behind later records and half a line', async (t) => {
  const { root, env, records } = rootWith(t, { default: 'exited' });
  const record = (seq: number, more: object) =>
    `${JSON.stringify({ seq, ts: '2026-01-02T03:04:05.678Z', ...more })}\n`;
  const log = `${root}/${records('default')}/events.jsonl`;
  appendFileSync(log, record(1, { type: 'pty.output', data_b64: 'A'.repeat(100_000) }));
  appendFileSync(log, record(2, { type: 'process.exit', exit_code: 3, signal: null }));
  appendFileSync(log, record(3, { type: 'client.detach', uid: 0, pid: 1, mode: 'watch' }));
  appendFileSync(log, '{"seq":4,"ts":');
  const plain = await ctx(env, ['terminal', 'status', 'coder', '--root', root]);
  t.equal(plain.code, 0);
  t.match(plain.out, /^state {4}exited \(3\)$/m);
  t.match(plain.out, `events   ${log}\n`);
  const { out } = await ctx(env, ['terminal', 'status', 'coder', '--root', root, '--json']);
  t.match(JSON.parse(out), { state: 'exited', exit: { exit_code: 3, signal: null }, cwd: '/workspace' });
});

t.test('a session without a terminal, and one whose terminal cannot be joined, say what to do', async (t) => {
  const { root, env } = rootWith(t, { default: 'running' });
  t.match(await ctx(env, ['terminal', 'status', 'coder', '--session', 'work', '--root', root]), {
    code: 1,
    err: 'ctx: ENOENT: agent/coder: session work has no terminal\nhint: ctx terminal create coder --session work\n',
  });
  const watch = await ctx(env, ['terminal', 'watch', 'coder', '--root', root]);
  t.equal(watch.code, 69);
  t.match(watch.err, /terminal\/main\.sock.* or .*terminal\/coder\/default\/main\.sock/);
});
