import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { peerCredentials, peerPidfd } from '../src/peer-credentials.ts';
import { signalPidfd } from '../src/pidfd.ts';
import { descriptorOf } from '../src/socket-descriptor.ts';

const dir = mkdtempSync('/tmp/peer-');
chmodSync(dir, 0o755);
t.teardown(() => rmSync(dir, { recursive: true }));

const CLIENT = 'require("net").connect(process.argv[1]).on("connect", () => {}).resume()';

async function serve(path: string) {
  const server = createServer().listen(path);
  await once(server, 'listening');
  chmodSync(path, 0o666);
  return server;
}

t.test('tells who connected, and a descriptor of that very process', async (t) => {
  const path = join(dir, 'a.sock');
  const server = await serve(path);
  t.teardown(() => server.close());
  const child = spawn(process.execPath, ['-e', CLIENT, path]);
  const [socket] = (await once(server, 'connection')) as [Socket];
  t.same(peerCredentials(socket), { pid: child.pid, uid: process.getuid?.(), gid: process.getgid?.() });
  const pidfd = peerPidfd(socket);
  t.teardown(() => closeSync(pidfd));
  signalPidfd(pidfd, 0);
  signalPidfd(pidfd, 'SIGKILL');
  t.same((await once(child, 'exit'))[1], 'SIGKILL');
  t.throws(() => signalPidfd(pidfd, 0), { code: 'ESRCH' });
});

t.test(
  'another user is seen as what the kernel says',
  { skip: process.getuid?.() === 0 ? false : 'needs root' },
  async (t) => {
    const path = join(dir, 'b.sock');
    const server = await serve(path);
    t.teardown(() => server.close());
    const child = spawn('/usr/bin/setpriv', [
      '--reuid=12345',
      '--regid=12346',
      '--clear-groups',
      process.execPath,
      '-e',
      CLIENT,
      path,
    ]);
    t.teardown(() => child.kill('SIGKILL'));
    const [socket] = (await once(server, 'connection')) as [Socket];
    t.match(peerCredentials(socket), { uid: 12345, gid: 12346 });
    socket.destroy();
  },
);

t.test('a closed socket and a socket of another family are typed errors', async (t) => {
  const server = await serve(join(dir, 'c.sock'));
  const client = connect(join(dir, 'c.sock'));
  await once(client, 'connect');
  t.ok(descriptorOf(server) > 2);
  client.destroy();
  server.close();
  t.throws(() => peerCredentials(client), { code: 'ENOTCONN' });

  const tcp = createServer().listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  t.teardown(() => tcp.close());
  const stranger = connect((tcp.address() as AddressInfo).port, '127.0.0.1');
  await once(stranger, 'connect');
  t.teardown(() => stranger.destroy());
  // TCP has no peer process: the kernel answers pid 0 and the ids that mean nobody.
  t.match(peerCredentials(stranger), { pid: 0, uid: 0xffffffff, gid: 0xffffffff });
});
