import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { formatLauncher } from '@cortexfs/abi/launcher';
import { TestHost } from '../host.ts';

export const fixtures = join(import.meta.dirname, '../fixtures');
export type Reply = Record<string, unknown>;

/** A host whose agent sends the requests of its input to the capability socket. */
export async function capabilityHost(
  t: Parameters<typeof TestHost.start>[0],
  controls: Record<string, string> = {},
) {
  const host = await TestHost.start(t, { env: 'step_timeout_s=20\n', ...controls }, (host) => {
    const { site } = host;
    host.installText(
      'agent/coder',
      `#!${process.execPath}\n${readFileSync(join(fixtures, 'capability-agent.mjs'), 'utf8')}`,
    );
    site.write('packages/runner/package.json', '{"type":"module"}');
    site.write('packages/runner/dist/runner.js', readFileSync(join(fixtures, 'runner.mjs'), 'utf8'));
    const script = join(site.base, 'packages/runner/dist/runner.js');
    site.write('store/bin/cortexfs-object-runner', formatLauncher({ node: process.execPath, script }));
    chmodSync(join(site.store, 'bin/cortexfs-object-runner'), 0o755);
    for (const model of ['echo', 'script']) {
      site.write(`store/model/debug/${model}`, '');
      chmodSync(join(site.store, `model/debug/${model}`), 0o755);
      site.write(`root/model/debug/${model}.d/limit`, model === 'script' ? '2000\n' : 'unknown\n');
    }
    symlinkSync('debug/echo', join(site.store, 'model/main'));
    symlinkSync('circle', join(site.store, 'model/circle'));
  });
  const client = await host.client();
  t.teardown(() => client.close());
  let count = 0;
  const ask = async (
    ...requests: { frame?: object; raw?: string; repeat?: number; expect: number }[]
  ): Promise<Reply[]> => {
    const id = `c${count++}`;
    const frames = await client
      .send({ op: 'send', id, session: 'default', input: JSON.stringify(requests) })
      .run(id);
    const message = frames.find(({ type }) => type === 'message') as
      | { content: { text: string }[] }
      | undefined;
    if (message === undefined) throw new Error(JSON.stringify(frames));
    return JSON.parse(message.content[0]!.text);
  };
  return { host, client, ask };
}
