import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { closedToOthers } from '../../src/mount/reach.ts';

t.test('a program that others cannot start is told by what is closed on the way', async (t) => {
  const folder = mkdtempSync('/tmp/ctx-');
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const program = `${folder}/home/bin/node`;
  mkdirSync(`${folder}/home/bin`, { recursive: true });
  writeFileSync(program, '');
  symlinkSync('home/bin/node', `${folder}/link`);
  const open = () => {
    for (const path of [folder, `${folder}/home`, `${folder}/home/bin`]) chmodSync(path, 0o755);
    chmodSync(program, 0o644);
  };
  open();
  t.equal(closedToOthers(program), undefined);
  t.equal(closedToOthers(`${folder}/link`), undefined);
  for (const [path, mode] of [
    [`${folder}/home`, 0o700],
    [`${folder}/home/bin`, 0o750],
    [program, 0o600],
  ] as const) {
    open();
    chmodSync(path, mode);
    const why = `${path} has mode 0${mode.toString(8)}`;
    t.equal(closedToOthers(program), why);
    t.equal(closedToOthers(`${folder}/link`), why, 'also where only the link is named');
  }
});
