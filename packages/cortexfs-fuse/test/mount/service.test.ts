import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { DatagramListener } from '../../../linux/test/support/datagram-listener.ts';
import { onEachTransport } from '../fixture/each-transport.ts';
import { makeSite, shell, start, unmount } from '../fixture/mounted.ts';

onEachTransport('as a service: ready when the mount answers, stopping once', {}, async (t, transport) => {
  const site = makeSite(t, { transport });
  const manager = new DatagramListener(join(site.store.base, 'notify'));
  t.teardown(() => manager.close());
  const env = { ...process.env, NOTIFY_SOCKET: join(site.store.base, 'notify') };
  const running = start(t, site, [...site.args, '--foreground'], [], env);
  t.same(await manager.messages(1), [`READY=1\nSTATUS=serving ${site.root}`]);
  t.equal((await shell(`cat ${site.root}/status`)).stdout, 'ready\n');
  running.process.kill('SIGTERM');
  t.same(await manager.messages(1), ['STOPPING=1']);
  t.equal(await running.ended, 0);
  t.equal(running.said(), '');

  const again = start(t, site, [...site.args, '--foreground'], [], env);
  await manager.messages(1);
  t.ok(unmount(site.root), 'somebody else unmounts');
  t.equal(await again.ended, 0);
  t.same(await manager.messages(1), ['STOPPING=1']);
});

t.test('a manager that is gone does not end the mount; without --foreground nobody is told', async (t) => {
  const site = makeSite(t);
  const absent = { ...process.env, NOTIFY_SOCKET: join(site.store.base, 'absent') };
  for (const [args, said] of [
    [['--foreground'], /the service manager could not be told READY=1/],
    [[], /^$/],
  ] as const) {
    const running = start(t, site, [...site.args, ...args], [], absent);
    while (!existsSync(join(site.store.runtime, 'mount.json'))) await sleep(20);
    t.equal((await shell(`cat ${site.root}/status`)).stdout, 'ready\n');
    running.process.kill('SIGTERM');
    t.equal(await running.ended, 0);
    t.match(running.said(), said);
  }
});
