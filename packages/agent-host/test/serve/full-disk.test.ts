import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { logLine } from '../../src/serve/log-line.ts';
import { LineLog } from '../../src/serve/session/line-log.ts';
import { storageError } from '../../src/serve/session/storage-error.ts';
import { faultsOf, type Line } from './history.ts';
import { TestHost } from './host.ts';

/** A host whose sessions lie on a small file system of their own, in a mount namespace of its own. */
async function hostOn(t: Test, options: string, prepared = (_host: TestHost) => {}): Promise<TestHost> {
  return TestHost.start(t, {}, (host) => {
    const home = join(host.site.store, 'home');
    mkdirSync(home, { recursive: true });
    prepared(host);
    const mount = 'mount -t tmpfs -o "$1" none "$0" && shift && exec /usr/bin/env "$@"';
    host.around = [
      '/usr/bin/unshare',
      '--mount',
      '--propagation',
      'private',
      '/bin/sh',
      '-c',
      mount,
      home,
      options,
    ];
  });
}

/** A path as the host sees it. */
const seen = (host: TestHost, path: string) => `/proc/${host.process!.pid}/root${path}`;

function recordsOf(host: TestHost, file: string, session: string): Line[] {
  const text = readFileSync(seen(host, join(host.folder(session), file)), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function isWhole(t: Test, host: TestHost, session: string): void {
  const logs = ['events.jsonl', 'messages.jsonl'].map((file) => recordsOf(host, file, session));
  t.strictSame(faultsOf(logs[0]!, logs[1]!), [], 'the history is whole');
}

/** Takes all space; returns how to give it back. */
function fill(host: TestHost): () => void {
  const filler = seen(host, join(host.site.store, 'home/filler'));
  const fd = openSync(filler, 'w');
  for (let bytes = 65_536; bytes >= 1; ) {
    try {
      writeSync(fd, Buffer.alloc(bytes));
    } catch {
      bytes = Math.floor(bytes / 16);
    }
  }
  closeSync(fd);
  return () => rmSync(filler);
}

const isRoot = process.geteuid!() === 0;

t.test('ENOSPC: refused with path and hint, the host lives, and goes on when there is space', async (t) => {
  if (!isRoot) return void t.pass('only root can mount where the host runs as itself');
  const host = await hostOn(t, 'size=4m');
  const client = await host.client();
  t.teardown(() => client.close());
  const send = (id: string, input = 'answer') => client.send({ op: 'send', id, session: 'one', input });
  const before = await send('before').run('before');
  const giveBack = fill(host);
  send('full');
  t.match(await client.until((frame) => frame['request_id'] === 'full'), {
    type: 'error',
    code: 'ENOSPC',
    path: /session\/one\//,
    hint: /^free some space and send it again: df -h /,
  });
  t.match(await client.send({ op: 'ping' }).type('pong'), { type: 'pong' });
  giveBack();
  t.match((await send('after').run('after')).at(-1), { type: 'done', status: 'ok' });
  t.strictSame(
    await host.client().then((other) => {
      t.teardown(() => other.close());
      return other.send({ op: 'send', id: 'before', session: 'one', input: 'answer' }).run('before');
    }),
    before,
    'what was acknowledged is there, and does not run again',
  );
  isWhole(t, host, 'one');
});

t.test('ENOSPC while text streams: the run ends, the next one finds a whole session', async (t) => {
  if (!isRoot) return void t.pass('only root can mount where the host runs as itself');
  const host = await hostOn(t, 'size=2m');
  const client = await host.client();
  t.teardown(() => client.close());
  client.send({ op: 'send', id: 'much', session: 'two', input: 'much' });
  t.match(await client.until(({ type }) => type === 'error'), { code: 'ENOSPC' });
  t.match(await client.send({ op: 'ping' }).type('pong'), { type: 'pong' });
  const pid = String(host.process!.pid);
  const home = join(host.site.store, 'home');
  execFileSync('/usr/bin/nsenter', ['-t', pid, '-m', '/bin/mount', '-o', 'remount,size=64m', home]);
  const frames = await client.send({ op: 'send', id: 'next', session: 'two', input: 'answer' }).run('next');
  t.match(frames.at(-1), { type: 'done', status: 'ok' });
  isWhole(t, host, 'two');
  const errors = recordsOf(host, 'events.jsonl', 'two').filter(({ type }) => type === 'error');
  t.match(errors, [{ code: 'ENOSPC' }], 'the history says why the run ended');
});

t.test('EROFS: a host does not start on a read-only store, and says why', async (t) => {
  if (!isRoot) return void t.pass('only root can mount where the host runs as itself');
  let host: TestHost | undefined;
  const starting = hostOn(t, 'size=1m,ro', (prepared) => {
    host = prepared;
  });
  await t.rejects(starting, { message: /did not start/ });
  // The end of a process may be seen before the last of its output.
  for (let looks = 0; looks < 6000 && !/hint: .*findmnt/.test(host!.stderr); looks++) await delay(10);
  t.match(host!.stderr, /EROFS: .*home.*: read-only file system.*\nhint: .*findmnt -T /);
});

t.test('a log that cannot be written ends nothing', (t) => {
  const full = openSync('/dev/full', 'w');
  t.doesNotThrow(() => logLine('lost', full));
  closeSync(full);
  t.doesNotThrow(() => logLine('lost', full), 'nor one that is closed');
  t.end();
});

t.test('what a person can do about each fault of the disk', (t) => {
  const failed = (code: string) => Object.assign(new Error(`${code}: it failed, write`), { code });
  const rows: [string, RegExp | undefined][] = [
    ['ENOSPC', /df -h \/x\/log/],
    ['EDQUOT', /quota/],
    ['EROFS', /findmnt -T \/x\/log/],
    ['EIO', /dmesg/],
    ['ENOENT', /start it again/],
    ['EACCES', undefined],
  ];
  for (const [code, hint] of rows) {
    const error = storageError(failed(code), '/x/log');
    t.match({ ...error, code: error.code }, { code, path: '/x/log', layer: 'session' }, code);
    if (hint === undefined) t.equal(error.hint, undefined, code);
    else t.match(error.hint, hint, code);
  }
  t.end();
});

t.test('a log tells the path of what it could not write', (t) => {
  const log = LineLog.open('/dev/full');
  t.throws(() => log.append(Buffer.from('lost\n')), { code: 'ENOSPC', path: '/dev/full', hint: /df -h/ });
  t.equal(log.size, 0);
  log.close();
  t.end();
});
