import { readFileSync } from 'node:fs';
import t from 'tap';
import { TestHost } from './host.ts';

const memoryOf = (pid: number) =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

t.test(
  'a client that never reads while a run writes 16 MiB: others go on, and it gets every byte later',
  async (t) => {
    const host = await TestHost.start(t, { env: 'step_timeout_s=60\n' });
    const slow = await host.client();
    slow.socket.pause();
    slow.send({ op: 'send', id: 'flood', session: 'flood', input: 'endless' });
    const other = await host.client();
    t.teardown(() => other.close());
    for (const id of ['a', 'b']) {
      t.match((await other.send({ op: 'send', id, session: 'other', input: 'answer' }).run(id)).at(-1), {
        status: 'ok',
      });
    }
    other.send({ op: 'resume', session: 'flood' });
    const done = await other.until((frame) => frame.type === 'done' && frame['status'] === 'error', 60);
    slow.socket.resume();
    await slow.until(({ type }) => type === 'done', 60);
    t.strictSame(`${slow.lines.join('\n')}\n`, host.file('events.jsonl', 'flood'), 'every byte, in order');
    t.equal(slow.frames.at(-1)!['id'], done['id']);
    t.ok(slow.lines.join('').length > 15 * 1024 * 1024);
    t.ok(
      memoryOf(host.process!.pid!) < 400,
      `${Math.round(memoryOf(host.process!.pid!))} MiB, the loader of TypeScript included`,
    );
    slow.close();
  },
);
