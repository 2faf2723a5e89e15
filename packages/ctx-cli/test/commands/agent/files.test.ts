import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { ctx } from '../../process.ts';

t.test('history, output and log tell what files hold, as text and as JSON', async (t) => {
  const base = mkdtempSync('/tmp/ctxf-');
  t.teardown(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, 'root');
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(base, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(base, path), text);
  };
  const session = 'root/home/7/agent/coder/session/default';
  const ts = '2026-03-01T12:00:00.000Z';
  const message = (id: string, role: string, content: object) =>
    JSON.stringify({ id, ts, role, run: 'R1', content: [content] });
  const stored = [
    message('m1', 'user', { type: 'text', text: 'look\nat \u001b[31mthis' }),
    message('m2', 'tool', {
      type: 'tool_result',
      tool_call_id: 'c1',
      name: 'fs.list',
      status: 'ok',
      content: '[1,\n2]',
    }),
    message('m3', 'assistant', { type: 'text', text: 'done' }),
  ];
  put('root/status', 'ready\n');
  put('root/agent/coder.d/owner', '7\n');
  put(`${session}/messages.jsonl`, `${stored.join('\n')}\n{"id":"m4","torn`);
  put(`${session}/latest.md`, 'done \u001b]0;x\u0007\n');
  put('run/cortexfs/log/agent-coder.log', 'one\ntwo \u001b[31m\nthree\n');
  const env = { PATH: '/usr/bin:/bin', HOME: base, XDG_RUNTIME_DIR: join(base, 'run'), CTX_ROOT: root };
  const agent = (...args: string[]) => ctx(env, ['agent', ...args]);

  const [history, last, json, output, outputJson, log, logJson, noAgent, noSession, noLog, badLast] =
    await Promise.all([
      agent('history', 'coder'),
      agent('history', 'coder', '--last', '2'),
      agent('history', 'coder', '--json'),
      agent('output', 'coder'),
      agent('output', 'coder', '--json'),
      agent('log', 'coder', '--last', '2'),
      agent('log', 'coder', '--json'),
      agent('output', 'nobody'),
      agent('history', 'coder', '--session', 'other'),
      agent('log', 'coder', '--terminal', 'default'),
      agent('history', 'coder', '--last', '0'),
    ]);
  t.equal(
    history.out,
    `${ts}  user\n  look\n  at this\n\n${ts}  tool\n  fs.list ok: [1, 2]\n\n${ts}  assistant\n  done\n\n`,
  );
  t.equal(last.out, `${ts}  assistant\n  done\n\n`, 'what is being written is not one of them');
  t.ok(json.out.startsWith(`${stored.join('\n')}\n`));
  t.equal(output.out, 'done \u001b]0;x\u0007\n', 'bytes as they are where no terminal is');
  t.match(JSON.parse(outputJson.out), { agent: 'coder', session: 'default' });
  t.equal(log.out, 'two\nthree\n');
  t.strictSame(JSON.parse(logJson.out), ['one', 'two', 'three']);
  t.match(noAgent, { code: 1, err: /ENOENT: agent\/nobody: no such agent\nhint: / });
  t.match(noSession, {
    code: 1,
    err: /ENOENT: home\/7\/.*session "other" has nothing of that yet\nhint: ctx agent send/,
  });
  t.match(noLog, { code: 1, err: /it has no log: it never ran\nhint: ctx agent start coder/ });
  t.match(badLast, { code: 2, err: /--last "0" is not a number/ });
});
