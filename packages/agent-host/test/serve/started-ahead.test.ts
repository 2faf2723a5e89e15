import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { TestHost } from './host.ts';

const host = await TestHost.start(t, { env: 'step_timeout_s=60\n' });
const gate = join(host.site.workspace, 'go-on');

/** The agent's processes that wait for their envelope, while a tool runs. */
function waiting(pid = host.process!.pid!): number[] {
  const children = childrenOf(pid);
  return [...children.filter(isStep), ...children.flatMap((child) => waiting(child))];
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** Once it is the shell that runs the agent's script, no longer the sandbox's own first process. */
const isStep = (pid: number) => /^\/bin\/sh\0\/ctx\/agent\/coder\0/.test(read(`/proc/${pid}/cmdline`));

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let looks = 0; !holds(); looks++) {
    if (looks > 6000) throw new Error(`in vain: ${what}`);
    await delay(10);
  }
}

/** A run whose tool runs until `gate` is removed, once its next step waits. */
async function runWithWaitingStep(id: string) {
  writeFileSync(gate, '');
  const client = await host.client();
  client.send({ op: 'send', id, session: 'ahead', input: 'call while-asked' });
  const { run } = await client.type('start');
  // By then the first step has ended.
  await client.type('tool_call');
  await until('a step that waits', () => waiting().length > 0);
  return { client, run };
}

await t.test(
  'while a tool runs the next step waits, one process, and then gets its one envelope',
  async (t) => {
    const { client } = await runWithWaitingStep('used');
    const [pid] = waiting();
    t.equal(waiting().length, 1);
    rmSync(gate);
    const frames = await client.run('used');
    const [message] = frames.filter(({ type }) => type === 'message') as unknown as [
      { content: [{ text: string }] },
    ];
    const envelope = JSON.parse(Buffer.from(message.content[0].text, 'base64').toString()) as Record<
      string,
      unknown
    >;
    t.match(envelope, { step: 1, observation: { tool_call_id: 'c1', content: 'asked' } });
    t.match(frames.at(-1), { status: 'ok' });
    await until('its end', () => !existsSync(`/proc/${pid}/exe`));
    client.close();
  },
);

await t.test('what waits is not used when the executable has been replaced', async (t) => {
  const { client } = await runWithWaitingStep('replaced');
  const agent = readFileSync(join(host.site.store, 'agent/coder'), 'utf8');
  const said = '{"type":"message","content":[{"type":"text","text":"the new one"}]}';
  host.installText('agent/coder', `#!/bin/sh\necho '${said}'\n`);
  rmSync(gate);
  const frames = await client.run('replaced');
  t.match(frames.at(-2), { type: 'message', content: [{ text: 'the new one' }] });
  t.strictSame(waiting(), []);
  host.installText('agent/coder', agent);
  client.close();
});

await t.test('what waits ends with a cancelled run', async (t) => {
  const { client, run } = await runWithWaitingStep('cancelled');
  client.send({ op: 'cancel', id: run });
  t.match(await client.type('done'), { status: 'cancelled' });
  t.strictSame(waiting(), []);
  client.close();
});

// The host's process would keep this one waiting.
t.end();
