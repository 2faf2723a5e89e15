import { copyFileSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import t from 'tap';
import { checkout } from '../place.ts';
import { systemdMachine } from '../systemd/machine.ts';
import { until } from '../until.ts';

const machine = await systemdMachine(t);
const alice = machine.addUser('alice', 7001);
/** As `npm i -g` leaves them. */
for (const bin of ['ctx', 'cortexfs-fuse', 'cortexfs-object-runner'])
  symlinkSync(`${machine.checkout}/dist/bin/${bin}`, machine.at(`/usr/bin/${bin}`));
copyFileSync(`${checkout}/docs/cortexfs.service`, machine.at('/etc/systemd/system/cortexfs.service'));

const systemctl = (...args: string[]) => machine.run(['systemctl', ...args]);
const property = async (name: string) =>
  (await systemctl('show', '--value', '-p', name, 'cortexfs')).out.trim();
const seen = async () => (await machine.run(['cat', '/ctx/status'], { as: alice })).out;

t.test('systemd takes the documented unit file as it is', async (t) => {
  t.match(await machine.run(['systemd-analyze', 'verify', 'cortexfs.service']), { code: 0, err: '' });
});

t.test('when systemctl start returns, the mount answers everybody', async (t) => {
  t.match(await systemctl('start', 'cortexfs'), { code: 0, err: '' });
  t.equal(await seen(), 'ready\n');
  t.equal(await property('ActiveState'), 'active');
  t.equal(await property('StatusText'), 'serving /ctx');
  const { pid } = JSON.parse(readFileSync(machine.at('/run/cortexfs/mount.json'), 'utf8')) as { pid: number };
  t.equal(Number(await property('MainPID')), pid, 'the daemon is the service’s own process');
  t.match(await machine.must(['mount', '--system']), /^already mounted/);
  t.match(await machine.must(['status'], { as: alice }), /^root +\/ctx \(ready, kernel\)/);
  const run = await machine.run(['/ctx/model/debug/echo', 'hi'], { as: alice });
  t.match(run, { code: 0, out: /"text":"hi"/ });
});

t.test('killed, it is started again and takes the dead mount away', async (t) => {
  const before = await property('MainPID');
  await machine.run(['kill', '-9', before]);
  await until(
    'it serves again',
    async () => (await seen()) === 'ready\n' && (await property('MainPID')) !== before,
  );
  t.equal(await property('NRestarts'), '1');
  t.equal((await machine.run(['grep', '-c', ' /ctx ', '/proc/self/mounts'])).out, '1\n');
});

t.test('stopped, it is unmounted, which is no failure', async (t) => {
  t.match(await systemctl('stop', 'cortexfs'), { code: 0, err: '' });
  t.equal(await seen(), '');
  t.equal(await property('Result'), 'success');
  t.notOk(existsSync(machine.at('/run/cortexfs/mount.json')));
});
