import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import t from 'tap';
import { ask, currentRun } from '../../capability/ask.ts';

/** A host that answers every request with these bytes. */
async function host(
  t: Pick<typeof import('tap').t, 'teardown'>,
  answer: (socket: Socket, line: string) => void,
) {
  const folder = mkdtempSync('/tmp/ask-');
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (chunk) => answer(socket, String(chunk)));
  });
  await new Promise<void>((resolve) => server.listen(`${folder}/s`, resolve));
  t.teardown(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  return { CTX_CONTROL_SOCKET: `${folder}/s` };
}

t.test('a request gets an id of its own each time, and its reply', async (t) => {
  const ids: string[] = [];
  const env = await host(t, (socket, line) => {
    const { op, request_id } = JSON.parse(line);
    t.equal(op, 'ping');
    ids.push(request_id);
    socket.write(`${JSON.stringify({ type: 'ok', request_id })}\n`);
  });
  t.match(await ask({ op: 'ping' }, env), { type: 'ok' });
  t.match(await ask({ op: 'ping' }, env), { type: 'ok' });
  t.equal(new Set(ids).size, 2);
});

t.test('what goes wrong is a typed error', async (t) => {
  const error = { type: 'error', code: 'EACCES', message: 'no', path: 'tool/x', hint: 'ask' };
  const cases: readonly [
    what: string,
    answer: string,
    expected: { code: string; [field: string]: string },
  ][] = [
    [
      'an error reply',
      `${JSON.stringify(error)}\n`,
      { code: 'EACCES', message: 'no', path: 'tool/x', hint: 'ask' },
    ],
    ['no JSON', 'nonsense\n', { code: 'EINVAL' }],
    ['half a line', '{"type":"ok"', { code: 'EHOSTDOWN' }],
    ['nothing', '', { code: 'EHOSTDOWN' }],
  ];
  for (const [what, answer, expected] of cases)
    await t.rejects(ask({ op: 'x' }, await host(t, (socket) => socket.end(answer))), expected, what);
  await t.rejects(ask({ op: 'x' }, {}), { code: 'ENOTCONN' }, 'no host');
  await t.rejects(ask({ op: 'x' }, { CTX_CONTROL_SOCKET: '/tmp/none' }), { code: 'ENOENT' }, 'no socket');
});

t.test('the run is told by the environment that its host gave', (t) => {
  const env = { CTX_AGENT: 'coder', CTX_SESSION: 'default', CTX_RUN_ID: 'R1' };
  t.strictSame(currentRun(env), { agent: 'coder', session: 'default', run: 'R1' });
  for (const name of Object.keys(env))
    t.throws(() => currentRun({ ...env, [name]: undefined }), { code: 'ENOTCONN' }, name);
  t.throws(() => currentRun({ ...env, CTX_AGENT: '../x' }), { code: 'EINVAL' });
  t.end();
});
