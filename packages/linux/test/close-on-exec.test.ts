import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const module = new URL('../src/close-on-exec.ts', import.meta.url).href;
const script = (call: string) => `
  import { spawnSync } from 'node:child_process';
  import { openSync } from 'node:fs';
  const { closeOnExecFrom, markOneByOne } = await import(${JSON.stringify(module)});
  const list = (stdio) => spawnSync('/bin/ls', ['/proc/self/fd'], { stdio, encoding: 'utf8' }).stdout.split('\\n').includes('251');
  const before = list(['ignore', 'pipe', 'inherit']);
  ${call};
  const after = list(['ignore', 'pipe', 'inherit']);
  const named = list([...['ignore', 'pipe', 'inherit'], ...Array(248).fill('ignore'), 251]);
  console.log(JSON.stringify({ before, after, named }));
`;

for (const call of ['closeOnExecFrom(3)', 'markOneByOne(3)']) {
  t.test(`${call} keeps an inherited descriptor out of children, except where it is named`, async (t) => {
    const loader = import.meta.resolve('tsx');
    const { stdout } = spawnSync(
      '/bin/bash',
      [
        '-c',
        'exec 251</etc/passwd; exec "$0" --import "$1" --input-type=module -e "$2"',
        process.execPath,
        loader,
        script(call),
      ],
      {
        encoding: 'utf8',
        cwd: fileURLToPath(new URL('..', import.meta.url)),
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    t.same(JSON.parse(stdout), { before: true, after: false, named: true });
  });
}
