import {
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_FRAME_BYTES } from '@cortexfs/abi/jsonl';
import t from 'tap';
import { serveSocket } from '../../src/serve/socket/server.ts';
import { temporaryDirectory } from '../temporary.ts';
import { Client } from './client.ts';

const ME = process.getuid!();
const OWNER = { pid: process.pid, uid: ME, gid: 0 };

interface Setting {
  readonly uid?: number;
  readonly handle?: Parameters<typeof serveSocket>[0]['handle'];
}

/** A server that answers pings, or does what the test gives it. */
async function listen(
  t: Parameters<typeof temporaryDirectory>[0],
  setting: Setting = {},
  path = join(temporaryDirectory(t), 's.sock'),
) {
  const refused: number[] = [];
  const server = await serveSocket({
    path,
    allowedUids: [ME],
    credentialsOf: () => ({ ...OWNER, uid: setting.uid ?? ME }),
    handle:
      setting.handle ??
      (async (_request, _frame, connection) => void (await connection.reply({ type: 'pong' }))),
    refused: ({ uid }) => refused.push(uid),
  });
  t.teardown(() => server.close());
  return { path, server, refused };
}

t.test('the socket is private and gone after the end', async (t) => {
  const { path, server } = await listen(t);
  t.equal(statSync(path).mode & 0o777, 0o600);
  await server.close();
  t.throws(() => lstatSync(path), { code: 'ENOENT' });
});

t.test('a planted file, link or directory is refused and left alone', async (t) => {
  const directory = temporaryDirectory(t);
  const victim = join(directory, 'victim');
  writeFileSync(victim, 'kept');
  const planted: [string, (path: string) => void][] = [
    ['file', (path) => writeFileSync(path, 'planted')],
    ['link', (path) => symlinkSync(victim, path)],
    ['dangling link', (path) => symlinkSync(join(directory, 'nowhere'), path)],
    ['directory', (path) => mkdirSync(path)],
  ];
  for (const [what, plant] of planted) {
    const path = join(directory, `${what}.sock`);
    plant(path);
    const before = lstatSync(path).ino;
    await t.rejects(listen(t, {}, path), { code: 'EEXIST', layer: 'socket' }, what);
    t.equal(lstatSync(path).ino, before, `${what} is still there`);
  }
  t.equal(readFileSync(victim, 'utf8'), 'kept');
});

t.test('a stale socket is replaced, a live one is not', async (t) => {
  const path = join(temporaryDirectory(t), 's.sock');
  const dead = createServer();
  await new Promise<void>((resolve) => dead.listen(path, resolve));
  const copy = `${path}.copy`;
  await t.rejects(listen(t, {}, path), { code: 'EBUSY' });
  // What a killed server leaves: the name of a socket that nobody listens on.
  renameSync(path, copy);
  await new Promise((resolve) => dead.close(resolve));
  renameSync(copy, path);
  await listen(t, {}, path);
  const client = await Client.open(path);
  t.match(await client.send({ op: 'ping' }).type('pong'), { type: 'pong' });
  client.close();
});

t.test('another uid is refused by credentials alone, before a byte is read', async (t) => {
  const { path, refused } = await listen(t, { uid: ME + 1 });
  const client = await Client.open(path);
  t.match(await client.type('error'), { code: 'EACCES', layer: 'credentials' });
  await client.ended();
  t.strictSame(refused, [ME + 1]);
  t.equal(client.frames.length, 1);
});

t.test('frames: 1 MiB exactly is read, one byte more is EMSGSIZE, the connection goes on', async (t) => {
  const { path } = await listen(t);
  const client = await Client.open(path);
  const padded = (bytes: number) => {
    const head = '{"op":"ping","pad":"';
    return `${head}${'x'.repeat(bytes - head.length - 3)}"}\n`;
  };
  for (const [bytes, type] of [
    [MAX_FRAME_BYTES - 1, 'pong'],
    [MAX_FRAME_BYTES, 'pong'],
    [MAX_FRAME_BYTES + 1, 'error'],
  ] as const) {
    client.frames.length = 0;
    client.send(padded(bytes));
    t.match(
      await client.until(() => true),
      { type, ...(type === 'error' ? { code: 'EMSGSIZE' } : {}) },
      `${bytes} bytes`,
    );
  }
  client.frames.length = 0;
  t.match(await client.send({ op: 'ping' }).until(() => true), { type: 'pong' });
  client.close();
});

t.test('bad frames are EINVAL and harm nothing', async (t) => {
  const { path } = await listen(t);
  const client = await Client.open(path);
  const bad = [
    'not json\n',
    '[]\n',
    '{}\n',
    '{"op":"fly"}\n',
    '{"op":7}\n',
    '{"op":"ping","op":"ping"}\n',
    '{"op":"send"}\n',
    '\n',
    '{"op":"send","id":"","session":"default","input":"x"}\n',
    '{"op":"send","id":"a","session":"../x","input":"x"}\n',
    '{"op":"approve","run":"r","id":"c","decision":"allow_once","more":1}\n',
    `{"op":"ping","x":${'['.repeat(100_000)}\n`,
    '{"op":"resume","session":"default","after":"17"}\n',
    '{"op":"ping","x":"\\ud800"}\n',
  ];
  for (const line of bad) {
    client.frames.length = 0;
    client.send(line);
    t.match(await client.until(() => true), { type: 'error', code: 'EINVAL' }, line.slice(0, 60));
  }
  client.frames.length = 0;
  client.socket.write(Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]));
  t.match(await client.until(() => true), { code: 'EINVAL' }, 'invalid UTF-8');
  client.frames.length = 0;
  client.send('{"op":"ping","__proto__":{"op":"stop"},"unknown":[1]}\n');
  t.match(await client.until(() => true), { type: 'pong' }, 'unknown fields are ignored');
  client.close();
});

t.test('half a frame at the end is dropped; what was asked before is answered', async (t) => {
  const { path } = await listen(t);
  const client = await Client.open(path);
  client.socket.end('{"op":"ping"}\n{"op":"pi');
  await client.ended();
  t.strictSame(client.frames, [{ type: 'pong' }]);
});

t.test('a reader that does not read is paused at 1 MiB and later gets every byte', async (t) => {
  const line = Buffer.from(`${JSON.stringify({ type: 'delta', text: 'x'.repeat(60_000) })}\n`);
  const total = 400;
  let taken = 0;
  const { path } = await listen(t, {
    handle: async (request, _frame, connection) => {
      if (request.op === 'ping') return void (await connection.reply({ type: 'pong' }));
      connection.background(async () => {
        for (; taken < total; taken++) if (!(await connection.send(line))) return;
      });
    },
  });
  const slow = await Client.open(path);
  slow.socket.pause();
  slow.send({ op: 'status', session: 'default' });
  await delay(300);
  const stuck = taken;
  // The kernel's own buffers come on top of what the server holds.
  t.ok(stuck * line.length < 3 * 1024 * 1024, `${stuck} of ${total} frames were taken`);
  const other = await Client.open(path);
  t.match(await other.send({ op: 'ping' }).type('pong'), { type: 'pong' }, 'another client is not affected');
  slow.socket.resume();
  await slow.until(() => slow.frames.length === total);
  t.equal(slow.frames.length, total);
  slow.close();
  other.close();
});

t.test('a client that leaves ends its streams', async (t) => {
  let ended = false;
  const { path } = await listen(t, {
    handle: async (_request, _frame, connection) =>
      connection.background(async () => {
        while (await connection.send(Buffer.from('{"type":"pong"}\n'))) await delay(5);
        ended = true;
      }),
  });
  const client = await Client.open(path);
  await client.send({ op: 'ping' }).type('pong');
  client.close();
  for (let looks = 0; !ended && looks < 3000; looks++) await delay(20);
  t.ok(ended);
});

t.test('an unhandled fault becomes an error frame, not the end of the server', async (t) => {
  const { path } = await listen(t, {
    handle: async (request) => {
      throw request.op === 'ping'
        ? new TypeError('a bug')
        : Object.assign(new Error('ENOSPC: full'), { code: 'ENOSPC' });
    },
  });
  const client = await Client.open(path);
  t.match(await client.send({ op: 'ping' }).type('error'), { code: 'EIO' });
  t.match(await client.send({ op: 'stop' }).until((frame) => frame['code'] === 'ENOSPC'), { type: 'error' });
  client.close();
});

t.test('many idle connections cost little', async (t) => {
  const { path } = await listen(t);
  const clients = await Promise.all(Array.from({ length: 300 }, () => Client.open(path)));
  t.match(await clients[299]!.send({ op: 'ping' }).type('pong'), { type: 'pong' });
  for (const client of clients) client.close();
});

t.test('a path that is too long for a socket is told, not cut', async (t) => {
  await t.rejects(listen(t, {}, join(temporaryDirectory(t), 'x'.repeat(120))), { code: 'ENAMETOOLONG' });
});
