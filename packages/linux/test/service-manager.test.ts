import { mkdtempSync, rmSync } from 'node:fs';
import t, { type Test } from 'tap';
import { tellServiceManager } from '../src/service-manager.ts';
import { DatagramListener } from './support/datagram-listener.ts';

t.test('one datagram to a path, and to an abstract name', async (t) => {
  const folder = mkdtempSync('/tmp/cfs-');
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of [`${folder}/notify`, `@cfs-notify-${process.pid}`]) {
    const manager = listening(t, name);
    t.equal(tellServiceManager(['READY=1', 'STATUS=serving /ctx'], name), true);
    t.equal(tellServiceManager(['STOPPING=1'], name), true);
    t.same(await manager.messages(2), ['READY=1\nSTATUS=serving /ctx', 'STOPPING=1']);
  }
});

t.test('without a manager nobody is told', async (t) => {
  t.equal(tellServiceManager(['READY=1'], undefined), false);
  t.equal(tellServiceManager(['READY=1'], ''), false);
});

t.test('a name that is no address is refused, one where nobody listens is an error', async (t) => {
  for (const name of ['notify', './notify', '@', '/', 'vsock:1:2', `/${'x'.repeat(107)}`])
    t.throws(() => tellServiceManager(['READY=1'], name), { code: 'EINVAL' }, name);
  t.throws(() => tellServiceManager(['READY=1'], '/tmp/cfs-nobody-listens'), { code: 'ENOENT' });
  t.throws(() => tellServiceManager(['READY=1'], '@cfs-nobody-listens'), { code: 'ECONNREFUSED' });
});

function listening(t: Test, name: string): DatagramListener {
  const listener = new DatagramListener(name);
  t.teardown(() => listener.close());
  return listener;
}
