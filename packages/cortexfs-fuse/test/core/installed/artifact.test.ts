import { appendFileSync, chmodSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectName } from '@cortexfs/abi/names';
import t, { type Test } from 'tap';
import { type Client, openStore } from '../../fixture/client.ts';
import { type Installed, install } from '../../fixture/installed.ts';
import { executable, type TestStore } from '../../fixture/store.ts';

const BYTES = '#!/bin/sh\necho the secret of the plugin\n';
const uid = process.geteuid!();

function installed(t: Test, directory = 'tool') {
  const { store, client } = openStore(t);
  const plugin = install(store, directory, 'example.echo', BYTES, {
    policy: 'allow coder_t tool:example.echo execute\n',
  });
  return { store, client, plugin, place: `${directory}/.exec/example.echo` };
}

for (const directory of ['tool', `home/${uid}/tool`]) {
  t.test(
    `reading an installed tool of ${directory} shows what it is, executing it opens what it runs`,
    async (t) => {
      const { client, place } = installed(t, directory);
      t.equal(client.read(`${directory}/example.echo`), executable('tool', 'example.echo'));
      t.equal(client.read(place), BYTES);
      t.match(client.stat(place), { size: BYTES.length });
      t.equal(client.stat(place).mode & 0o7777, 0o555);
    },
  );

  t.test(`nothing in ${directory} lists the artifact or the receipt`, async (t) => {
    const { client } = installed(t, directory);
    t.notMatch(client.list(directory), ['.exec']);
    t.notOk(client.list(directory).includes('.exec'));
    t.strictSame(client.list(`${directory}/.exec`), []);
    t.notOk(client.list(`${directory}/example.echo.d`).some((name) => name.startsWith('.')));
    t.throws(() => client.entry(`${directory}/example.echo.d/.cortexfs-receipt.json`), { code: 'ENOENT' });
  });

  t.test(`the artifacts of ${directory} cannot be changed, nor anything put beside them`, async (t) => {
    const { client, place } = installed(t, directory);
    t.throws(() => client.write(place, 'x'), { code: 'EPERM' });
    t.throws(() => client.unlink(place), { code: 'EPERM' });
    t.throws(() => client.chmod(place, { mode: 0o777 }), { code: 'EPERM' });
    t.throws(() => client.create(`${directory}/.exec/mine`), { code: 'EPERM' });
    t.throws(() => client.mkdir(`${directory}/.exec`), { code: 'EPERM' });
    t.throws(() => client.rename(place, `${directory}/.exec/other`), { code: 'EPERM' });
    t.equal(client.read(place), BYTES);
  });
}

const faults: [string, (store: TestStore, plugin: Installed) => void, RegExp][] = [
  [
    'other bytes of the same length',
    (s, p) => writeFileSync(at(s, p.executable), BYTES.replace('secret', 'SECRET')),
    /has changed: SHA-256/,
  ],
  ['one byte more', (s, p) => appendFileSync(at(s, p.executable), '#'), /has changed: SHA-256/],
  ['a copy in its place', (s, p) => replaceByCopy(at(s, p.executable)), /not the file that was installed/],
  [
    'a control directory that is another one',
    (s, p) => replaceByCopy(at(s, p.controls)),
    /control directory/,
  ],
  [
    'a receipt of another tool',
    (_, p) => p.receipt({ name: 'example.other' as ObjectName }),
    /that of tool\/example.other/,
  ],
  ['a receipt of an agent', (_, p) => p.receipt({ class: 'agent' }), /that of agent\/example.echo/],
  ['a receipt of the other tier', (_, p) => p.receipt({ tier: 'user' }), /user tier/],
  [
    'half a receipt',
    (s, p) => s.write(`${p.controls}/.cortexfs-receipt.json`, '{"schema":'),
    /receipt cannot be used/,
  ],
  [
    'an empty receipt',
    (s, p) => s.write(`${p.controls}/.cortexfs-receipt.json`, ''),
    /receipt cannot be used/,
  ],
];

for (const [what, change, why] of faults) {
  t.test(`an artifact with ${what} is refused with EACCES, and its log says why`, async (t) => {
    const { store, client, plugin, place } = installed(t);
    t.equal(client.read(place), BYTES);
    t.equal(client.read('tool/example.echo.d/log'), '');
    change(store, plugin);
    t.throws(() => client.read(place), { code: 'EACCES' });
    t.throws(() => client.read(place), { code: 'EACCES' });
    const log = client.read('tool/example.echo.d/log');
    t.match(log, /^\S+Z refused to execute: EACCES: tool\/example\.echo: /);
    t.match(log, why);
    t.equal(log.trimEnd().split('\n').length, 1, 'told once, however often it is tried');
    t.equal(
      client.read('tool/example.echo'),
      executable('tool', 'example.echo'),
      'it is still there to be read about',
    );
  });
}

t.test('what has no receipt is not installed and has no artifact', async (t) => {
  const { store, client, plugin, place } = installed(t);
  rmSync(at(store, `${plugin.controls}/.cortexfs-receipt.json`));
  t.throws(() => client.read(place), { code: 'ENOENT' });
  for (const name of ['fs.read', 'missing', 'example.echo.d', '..', '.cortexfs-receipt.json'])
    t.throws(() => client.entry(`tool/.exec/${name}`), { code: name === '..' ? 'EINVAL' : 'ENOENT' }, name);
  t.throws(() => client.entry('model/.exec'), { code: 'ENOENT' });
  t.throws(() => client.entry('model/debug/.exec'), { code: 'ENOENT' });
});

t.test('an artifact mended to what was installed runs again', async (t) => {
  const { store, client, plugin, place } = installed(t);
  writeFileSync(at(store, plugin.executable), 'changed');
  t.throws(() => client.read(place), { code: 'EACCES' });
  writeFileSync(at(store, plugin.executable), BYTES);
  t.equal(client.read(place), BYTES);
});

t.test('a large artifact is compared a little at a time, while others are answered', async (t) => {
  const { store, client } = openStore(t);
  install(store, 'tool', 'large', 'x'.repeat(20 * 1024 * 1024));
  let again = 0;
  while (isPending(client, 'tool/.exec/large')) {
    again++;
    t.equal(client.read('status'), 'ready\n');
  }
  t.equal(again, 2, '8 MiB a request');
  t.notOk(isPending(client, 'tool/.exec/large'), 'and remembered');
  chmodSync(at(store, 'tool/large'), 0o755);
  t.ok(isPending(client, 'tool/.exec/large'), 'until anything about the file changes');
});

t.test('a view has the artifacts of the tools that it shows, by the policy of the moment', async (t) => {
  const { store, client } = installed(t);
  const place = '.view/coder/tool/.exec/example.echo';
  t.throws(() => client.read(place), { code: 'ENOENT' });
  const policy = readFileSync(at(store, 'agent/coder.d/policy'), 'utf8');
  store.write('agent/coder.d/policy', `${policy}allow coder_t tool:example.echo execute\n`);
  t.equal(client.read(place), BYTES);
  t.equal(client.read('.view/coder/tool/example.echo'), executable('tool', 'example.echo'));
  t.equal(client.read('.view/coder/tool/example.echo.d/log'), '', 'a log names places of the host');
  store.write('agent/coder.d/policy', policy);
  t.throws(() => client.read(place), { code: 'ENOENT' });
});

t.test('among agents a view has the artifact of its own agent alone', async (t) => {
  const { store, client } = openStore(t);
  const policy = readFileSync(at(store, 'agent/coder.d/policy'), 'utf8');
  store.write('agent/coder.d/policy', `${policy}allow coder_t agent:reviewer read\n`);
  for (const name of ['coder', 'reviewer']) install(store, 'agent', name, BYTES, { meta: '{}' });
  t.equal(client.read('.view/coder/agent/.exec/coder'), BYTES);
  t.ok(client.entry('.view/coder/agent/reviewer'));
  t.throws(() => client.read('.view/coder/agent/.exec/reviewer'), { code: 'ENOENT' });
  t.equal(client.read('agent/.exec/reviewer'), BYTES);
});

function at({ source }: TestStore, path: string): string {
  return join(source, path);
}

function replaceByCopy(path: string): void {
  cpSync(path, `${path}.copy`, { recursive: true, preserveTimestamps: true });
  renameSync(path, `${path}.old`);
  renameSync(`${path}.copy`, path);
}

function isPending(client: Client, path: string): boolean {
  try {
    client.read(path);
    return false;
  } catch (error) {
    if ((error as { code?: string }).code === 'EAGAIN') return true;
    throw error;
  }
}
