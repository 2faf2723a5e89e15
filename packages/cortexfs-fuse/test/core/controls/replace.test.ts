import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TEMPORARY_PREFIX } from '@cortexfs/linux/durable-write';
import t from 'tap';
import { openStore } from '../../fixture/client.ts';

const D = 'agent/coder.d';

t.test('a temporary file renamed over a control replaces it whole', async (t) => {
  const { store, client } = openStore(t);
  client.create(`${D}/.policy.tmp`, 'allow coder_t tool:fs.list execute\n', 0o600);
  t.equal(client.stat(`${D}/.policy.tmp`).size, 35);
  t.notOk(client.list(D).includes('.policy.tmp'), 'it is not listed');
  t.notOk(readdirSync(join(store.source, D)).includes('.policy.tmp'), 'and not in the store');
  client.rename(`${D}/.policy.tmp`, `${D}/policy`);
  t.equal(client.read(`${D}/policy`), 'allow coder_t tool:fs.list execute\n');
  t.throws(() => client.entry(`${D}/.policy.tmp`), { code: 'ENOENT' });
});

t.test('a bad temporary file is refused by rename and stays to be mended', async (t) => {
  const { client } = openStore(t);
  client.create(`${D}/.w`, 'nonsense\n');
  t.throws(() => client.rename(`${D}/.w`, `${D}/window`), { code: 'EINVAL' });
  t.equal(client.read(`${D}/window`), 'auto\n');
  client.write(`${D}/.w`, '7\n');
  t.throws(() => client.rename(`${D}/.w`, `${D}/nosuch`), { code: 'EPERM' });
  t.throws(() => client.rename(`${D}/.w`, `${D}/window`, 1), { code: 'EEXIST' });
  client.rename(`${D}/.w`, `${D}/window`);
  t.equal(client.read(`${D}/window`), '7\n');
});

t.test('temporary files belong to their maker, stay in their directory, and are few', async (t) => {
  const { client } = openStore(t);
  client.create(`${D}/.mine`, 'auto\n');
  t.throws(() => client.as(4242).entry(`${D}/.mine`), { code: 'ENOENT' });
  t.throws(() => client.as(4242).create(`${D}/.theirs`, ''), { code: 'EACCES' });
  t.throws(() => client.rename(`${D}/.mine`, 'agent/reviewer.d/window'), { code: 'EXDEV' });
  t.throws(() => client.create(`${D}/.mine`), { code: 'EEXIST' });
  t.throws(() => client.create(`${D}/.cortexfs-x`), { code: 'EPERM' });
  for (let i = 1; i < 16; i++) client.create(`${D}/.t${i}`, 'x');
  t.throws(() => client.create(`${D}/.t16`), { code: 'ENOSPC' });
  client.unlink(`${D}/.mine`);
  client.create(`${D}/.t16`);
});

t.test('a durable write replaces a control under its own temporary name', async (t) => {
  const { client } = openStore(t);
  const temporary = `${D}/${TEMPORARY_PREFIX}0123456789abcdef`;
  client.create(temporary, '9\n');
  client.rename(temporary, `${D}/window`);
  t.equal(client.read(`${D}/window`), '9\n');
});

t.test('controls themselves are not moved', async (t) => {
  const { client } = openStore(t);
  t.throws(() => client.rename(`${D}/policy`, `${D}/.backup`), { code: 'EPERM' });
  t.throws(() => client.rename(`${D}/policy`, `${D}/label`), { code: 'EPERM' });
});
