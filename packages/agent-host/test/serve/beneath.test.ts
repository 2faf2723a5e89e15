import { execFileSync } from 'node:child_process';
import { closeSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { holdBeneath, readBeneath } from '../../src/serve/beneath.ts';
import { temporaryDirectory } from '../temporary.ts';

t.test('a small regular file is read, whatever hard links it has', (t) => {
  const base = temporaryDirectory(t);
  mkdirSync(join(base, 'a'));
  writeFileSync(join(base, 'a/file'), 'text');
  linkSync(join(base, 'a/file'), join(base, 'a/other'));
  t.equal(readBeneath(base, 'a/file', 4), 'text');
  t.equal(readBeneath(base, 'a/other', 4), 'text');
  const held = holdBeneath(base, 'a/file');
  t.ok(held?.stat.isFile());
  closeSync(held!.fd);
  t.end();
});

t.test('what is not there is undefined, also below a file or a missing base', (t) => {
  const base = temporaryDirectory(t);
  writeFileSync(join(base, 'file'), '');
  for (const path of ['none', 'none/deeper', 'file/deeper'])
    t.equal(readBeneath(base, path, 10), undefined, path);
  t.equal(readBeneath(join(base, 'none'), 'file', 10), undefined);
  t.equal(holdBeneath(base, 'none'), undefined);
  t.end();
});

t.test('no link, no way out, nothing that is no text', (t) => {
  const base = temporaryDirectory(t);
  const outside = temporaryDirectory(t);
  writeFileSync(join(outside, 'secret'), 'secret');
  symlinkSync(join(outside, 'secret'), join(base, 'link'));
  symlinkSync(outside, join(base, 'directory-link'));
  mkdirSync(join(base, 'directory'));
  execFileSync('mkfifo', [join(base, 'fifo')]);
  writeFileSync(join(base, 'long'), 'x'.repeat(11));
  writeFileSync(join(base, 'binary'), Buffer.from([0xff, 0xfe]));
  const cases: [path: string, code: string][] = [
    ['link', 'ELOOP'],
    ['directory-link/secret', 'ELOOP'],
    [`../${outside.split('/').at(-1)}/secret`, 'EXDEV'],
    [join(outside, 'secret'), 'EXDEV'],
    ['directory', 'EINVAL'],
    ['fifo', 'EINVAL'],
    ['long', 'EMSGSIZE'],
    ['binary', 'EINVAL'],
    ['nul\0', 'EINVAL'],
  ];
  for (const [path, code] of cases)
    t.throws(() => readBeneath(base, path, 10), { code }, JSON.stringify(path));
  t.throws(() => holdBeneath(base, 'link'), { code: 'ELOOP' });
  t.end();
});
