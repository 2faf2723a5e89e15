import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { systemProgram } from '../../program/system-program.ts';
import { loadTool } from '../../registry.ts';
import { scratch } from '../scratch.ts';

t.test(
  'the first directory with an executable file of that name has it; arguments are passed as they are',
  async (t) => {
    const dir = scratch(t);
    for (const name of ['a', 'b', 'c', 'd']) mkdirSync(join(dir, name));
    writeFileSync(join(dir, 'a/p'), '');
    mkdirSync(join(dir, 'b/p'));
    writeFileSync(join(dir, 'c/p'), '');
    chmodSync(join(dir, 'c/p'), 0o755);
    const directories = ['a', 'b', 'c', 'd'].map((name) => join(dir, name));
    t.same(systemProgram('p', directories).command(['-x', 'a b']), {
      program: join(dir, 'c/p'),
      args: ['-x', 'a b'],
    });
  },
);

t.test('a program that is not installed is EHOSTDOWN, exit 69, whatever PATH holds', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'p'), '');
  chmodSync(join(dir, 'p'), 0o755);
  const before = process.env['PATH'];
  process.env['PATH'] = dir;
  t.teardown(() => {
    process.env['PATH'] = before;
  });
  t.throws(() => systemProgram('p', [join(dir, 'none')]).command([]), {
    code: 'EHOSTDOWN',
    exitCode: 69,
    path: 'tool/p',
  });
});

t.test('bash is the system shell', async (t) => {
  const bash = await loadTool('bash');
  t.match(bash?.kind === 'terminal' && bash.command(['-c', 'true']), {
    program: /^\/.*\/bash$/,
    args: ['-c', 'true'],
  });
});
