import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { TestHost } from './host.ts';

const sessionDirectory = (host: TestHost, session: string) =>
  join(host.site.store, `home/${process.getuid!()}/agent/coder/session/${session}`);

t.test('kill -9 in the middle of a run: the next host settles it and serves on', async (t) => {
  const host = await TestHost.start(t, { env: 'step_timeout_s=30\n' });
  const client = await host.client();
  const finished = await client
    .send({ op: 'send', id: 'whole', session: 'default', input: 'answer' })
    .run('whole');
  client.send({ op: 'send', id: 'cut', session: 'default', input: 'wait' });
  const start = await client.until((frame) => frame['request_id'] === 'cut');
  await client.until((frame) => frame.type === 'delta' && frame['run'] === start['run']);
  await host.end('SIGKILL');
  await client.ended();
  appendFileSync(join(sessionDirectory(host, 'default'), 'events.jsonl'), '{"id":"e99","seq":9');

  await host.launch();
  t.match(host.stderr, /was unfinished and ended with error/);
  t.match(host.stderr, /torn bytes were put aside/);
  const events = host.records('events.jsonl');
  const cut = events.filter(({ run }) => run === start['run']);
  t.match(
    cut.map(({ type }) => type),
    ['start', 'delta', 'error', 'done'],
  );
  t.match(cut[2], { code: 'EHOSTDOWN' });
  t.match(cut[3], { status: 'error' });
  t.strictSame(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
    'seq has no holes',
  );
  t.match(events.at(-1), { type: 'agent.start', found: [/torn bytes/, /unfinished/] });
  t.ok(readdirSync(sessionDirectory(host, 'default')).some((file) => /^events\.jsonl\.torn-\d+$/.test(file)));
  t.strictSame(readdirSync(join(host.site.runtime, 'run/coder')), [], 'no capability directory is left');

  const again = await host.client();
  t.strictSame(
    await again.send({ op: 'send', id: 'whole', session: 'default', input: 'answer' }).run('whole'),
    finished,
  );
  t.match(
    (await again.send({ op: 'send', id: 'cut', session: 'default', input: 'wait' }).run('cut')).at(-1),
    { status: 'error' },
    'it is not run again',
  );
  t.match(
    (await again.send({ op: 'send', id: 'new', session: 'default', input: 'answer' }).run('new')).at(-1),
    { status: 'ok' },
  );
  again.close();
});
