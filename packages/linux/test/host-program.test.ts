import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { findHostProgram } from '../src/host-program.ts';

const asRoot = { skip: process.getuid?.() === 0 ? false : 'needs root' };

t.test('finds mount where the system has it, without looking at PATH', (t) => {
  const path = process.env.PATH;
  process.env.PATH = '/nonexistent';
  t.teardown(() => {
    process.env.PATH = path;
  });
  t.match(findHostProgram('mount'), /^\/usr\/bin\/mount$|^\/bin\/mount$/);
  t.end();
});

t.test('a missing program names its package', (t) => {
  t.throws(() => findHostProgram('bwrap', [t.testdir()]), {
    code: 'ENOENT',
    path: 'bwrap',
    message: /not installed/,
    hint: 'sudo apt-get install bubblewrap',
  });
  t.end();
});

t.test('only an executable that root alone can change is used', asRoot, (t) => {
  const root = mkdtempSync('/tmp/host-program-');
  t.teardown(() => rmSync(root, { recursive: true }));
  chmodSync(root, 0o755);
  const place = (name: string, change: (path: string, folder: string) => void = () => {}) => {
    const folder = join(root, name);
    mkdirSync(folder, { mode: 0o755 });
    const path = join(folder, 'bwrap');
    writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 });
    change(path, folder);
    return folder;
  };
  const good = place('good');
  const bad = {
    'another owner': place('a', (path) => chownSync(path, 12345, 0)),
    'writable by all': place('b', (path) => chmodSync(path, 0o757)),
    'writable by a group': place('c', (path) => {
      chownSync(path, 0, 50);
      chmodSync(path, 0o775);
    }),
    'not executable': place('d', (path) => chmodSync(path, 0o644)),
    'a folder of another owner': place('e', (_, folder) => chownSync(folder, 12345, 0)),
    'a folder writable by all': place('f', (_, folder) => chmodSync(folder, 0o777)),
  };
  t.equal(findHostProgram('bwrap', [good]), join(good, 'bwrap'));
  for (const [why, folder] of Object.entries(bad)) {
    t.throws(() => findHostProgram('bwrap', [folder]), { code: 'EACCES', path: join(folder, 'bwrap') }, why);
    t.equal(findHostProgram('bwrap', [folder, good]), join(good, 'bwrap'), `${why}: the next one is taken`);
    const link = join(root, `link ${why}`);
    mkdirSync(link);
    symlinkSync(join(folder, 'bwrap'), join(link, 'bwrap'));
    t.throws(
      () => findHostProgram('bwrap', [link]),
      { code: 'EACCES' },
      `${why}: judged by the link's target`,
    );
  }
  t.end();
});
