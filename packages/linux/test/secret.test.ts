import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { parseProviderName } from '@cortexfs/abi/names';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { readSecret, removeSecret, writeSecret } from '../src/secret.ts';

const provider = parseProviderName('openai');
const KEY = 'sk-9f8e7d6c5b4a';

function place(t: Test) {
  const folder = mkdtempSync('/tmp/cfs-secret-');
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const secrets = `${folder}/config/secrets`;
  return { folder, secrets, file: `${secrets}/provider/openai/default` };
}

t.test('a key is written for its owner alone, replaced, read and removed', async (t) => {
  const { secrets, file } = place(t);
  t.equal(readSecret(secrets, provider), undefined);
  t.equal(removeSecret(secrets, provider), false);
  const umask = process.umask(0);
  writeSecret(secrets, provider, `${KEY}\n`);
  process.umask(umask);
  t.equal(lstatSync(file).mode & 0o7777, 0o600);
  for (const folder of ['', '/provider', '/provider/openai'])
    t.equal(lstatSync(`${secrets}${folder}`).mode & 0o7777, 0o700, folder);
  t.equal(readSecret(secrets, provider), KEY);
  writeSecret(secrets, provider, 'another');
  t.equal(readSecret(secrets, provider), 'another');
  t.equal(readSecret(secrets, provider, 'spare'), undefined);
  writeSecret(secrets, provider, 'second', 'spare');
  t.equal(removeSecret(secrets, provider), true);
  t.equal(readSecret(secrets, provider), undefined);
  t.equal(readSecret(secrets, provider, 'spare'), 'second');
});

t.test('a place that is not private is refused, each part of it, and no error holds the key', async (t) => {
  const attacks: [string, (at: ReturnType<typeof place>) => void][] = [
    ['file open to the group', ({ file }) => chmodSync(file, 0o640)],
    ['file open to all', ({ file }) => chmodSync(file, 0o604)],
    ['file with more bits', ({ file }) => chmodSync(file, 0o700)],
    ['directory open to the group', ({ file }) => chmodSync(file.replace('/default', ''), 0o750)],
    ['directory above open', ({ secrets }) => chmodSync(`${secrets}/provider`, 0o755)],
    ['secrets open', ({ secrets }) => chmodSync(secrets, 0o711)],
    ['file is a link', ({ file }) => link(file)],
    ['directory is a link', ({ file }) => link(file.replace('/default', ''))],
    ['directory above is a link', ({ secrets }) => link(`${secrets}/provider`)],
    ['secrets is a link', ({ secrets }) => link(secrets)],
    ['file is a FIFO', ({ file }) => replaceByFifo(file)],
    ['file is a directory', ({ file }) => replaceByDirectory(file)],
    ['directory is a file', ({ secrets }) => replaceByFile(`${secrets}/provider`)],
  ];
  for (const [name, attack] of attacks) {
    const at = place(t);
    writeSecret(at.secrets, provider, KEY);
    attack(at);
    try {
      readSecret(at.secrets, provider);
      t.fail(`${name} is refused`);
    } catch (error) {
      t.match(error, { code: 'EACCES', layer: 'credentials' }, name);
      t.notMatch(JSON.stringify({ ...(error as Error), message: (error as Error).message }), KEY, name);
    }
  }
});

t.test('a link in the way is not followed when a key is written either', async (t) => {
  const { folder, secrets } = place(t);
  const outside = `${folder}/outside`;
  mkdirSync(outside);
  mkdirSync(`${secrets}/provider`, { recursive: true });
  for (const directory of [secrets, `${secrets}/provider`]) chmodSync(directory, 0o700);
  symlinkSync(outside, `${secrets}/provider/openai`);
  t.throws(() => writeSecret(secrets, provider, KEY), { code: 'EACCES' });
  t.notOk(lstatSync(`${outside}/default`, { throwIfNoEntry: false }));
});

t.test("somebody else's file is refused", async (t) => {
  const { secrets, file } = place(t);
  writeSecret(secrets, provider, KEY);
  if (process.getuid!() === 0) {
    spawnSync('chown', ['65534', file]);
    t.throws(() => readSecret(secrets, provider), { code: 'EACCES', message: /belongs to uid 65534/ });
  } else t.throws(() => readSecret('/', provider), { code: 'EACCES', message: /belongs to uid 0/ });
});

t.test('a key is one line that fits into a header', async (t) => {
  const { secrets, file } = place(t);
  for (const key of ['', '\n', 'two words', 'two\nlines', 'tab\t', 'k\u00e4se', 'x'.repeat(8193), 'nul\0'])
    t.throws(() => writeSecret(secrets, provider, key), { code: 'EINVAL' }, JSON.stringify(key).slice(0, 40));
  writeSecret(secrets, provider, KEY);
  writeFileSync(file, `${KEY}\nX-Injected: 1\n`);
  t.throws(() => readSecret(secrets, provider), { code: 'EINVAL' });
  fc.assert(
    fc.property(fc.stringMatching(/^[\x21-\x7e]{1,200}$/), fc.constantFrom('', '\n', '\r\n'), (key, end) => {
      writeFileSync(file, `${key}${end}`);
      return readSecret(secrets, provider) === key;
    }),
  );
  t.match(readFileSync(file, 'utf8'), /^\S+/);
});

function link(path: string): void {
  renameSync(path, `${path}.real`);
  symlinkSync(`${path}.real`, path);
}

function replaceByFifo(path: string): void {
  rmSync(path);
  spawnSync('mkfifo', ['-m', '600', path]);
}

function replaceByDirectory(path: string): void {
  rmSync(path);
  mkdirSync(path, { mode: 0o600 });
}

function replaceByFile(path: string): void {
  rmSync(path, { recursive: true });
  writeFileSync(path, '', { mode: 0o700 });
}
