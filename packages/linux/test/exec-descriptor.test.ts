import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

const dir = mkdtempSync('/tmp/ctx-exec-');
t.teardown(() => rmSync(dir, { recursive: true, force: true }));
const module = new URL('../src/exec-descriptor.ts', import.meta.url).href;

/** Starts a process that makes itself the program. */
function become(program: string, { args = '[]', keep = false, input = '', before = '' } = {}) {
  const script = `
    const { openSync, renameSync, writeFileSync } = await import('node:fs');
    const { execDescriptor } = await import(${JSON.stringify(module)});
    const fd = openSync(${JSON.stringify(program)}, 'r');
    ${before}
    try {
      execDescriptor(fd, { argv: ['the name', ...${args}], env: { PATH: '/usr/bin:/bin', A: 'b', GONE: undefined }, keep: ${keep} ? [fd] : [] });
    } catch (error) { console.log(error.code); }`;
  const argv = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script];
  const child = spawnSync(process.execPath, argv, { input, encoding: 'utf8', timeout: 60_000 });
  return { status: child.status, signal: child.signal, out: child.stdout, err: child.stderr };
}

function file(name: string, text: string, mode = 0o755): string {
  writeFileSync(join(dir, name), text);
  chmodSync(join(dir, name), mode);
  return join(dir, name);
}

t.test('an ELF program gets arguments, environment and streams, and nothing else', async (t) => {
  const text = 'echo "$0|$*|$(env | sort | tr "\\n" ,)"; cat; exec ls -m /proc/self/fd';
  const { status, out } = become('/bin/sh', {
    args: JSON.stringify(['-c', text, 'x', 'y z']),
    input: 'in\n',
  });
  t.equal(status, 0);
  t.match(
    out,
    /^x\|y z\|A=b,(PWD=[^,]*,)?PATH=\/usr\/bin:\/bin,(PWD=[^,]*,)?(SHLVL=.,)?(_=[^,]*,)?\nin\n0, 1, 2, 3\n$/,
  );
});

t.test('a script runs by its descriptor, also after its name went', async (t) => {
  const script = file('script', '#!/bin/sh\necho "$0 $*"\n');
  const gone = `renameSync(${JSON.stringify(script)}, ${JSON.stringify(join(dir, 'old'))});
    writeFileSync(${JSON.stringify(script)}, '#!/bin/sh\\necho swapped\\n');`;
  const { status, out } = become(script, { args: '["a"]', keep: true, before: gone });
  t.match({ status, out }, { status: 0, out: /^\/dev\/fd\/\d+ a\n$/ });
});

t.test('signals that node ignores end the program as they should', async (t) => {
  t.match(become('/bin/sh', { args: '["-c", "kill -PIPE $$"]' }), { signal: 'SIGPIPE' });
});

t.test('what cannot be executed is told, and the process goes on', async (t) => {
  for (const [name, text, code, mode] of [
    ['text', 'just text\n', 'ENOEXEC', 0o755],
    ['orphan', '#!/nowhere/interpreter\n', 'ENOENT', 0o755],
    ['plain', '#!/bin/sh\n', 'EACCES', 0o644],
  ] as const)
    t.match(become(file(name, text, mode), { keep: true }), { status: 0, out: `${code}\n` }, name);
  t.match(become(file('closed', '#!/bin/sh\n')), { out: 'ENOENT\n' }, 'a script that is not kept open');
});
