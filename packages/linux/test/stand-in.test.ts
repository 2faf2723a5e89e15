import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { standIn } from '../src/stand-in.ts';

const module = new URL('../src/stand-in.ts', import.meta.url).href;

/** A process that stands in for a shell script, and says nothing itself. */
function standingIn(script: string) {
  const source = `import { standIn } from ${JSON.stringify(module)};
    const { ended } = standIn('/bin/sh', ['-c', ${JSON.stringify(script)}], { stdio: 'inherit' });
    process.exitCode = await ended;`;
  const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', source];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'];

t.test('exit codes and signals are those of the program', async (t) => {
  const listeners = () => SIGNALS.map((signal) => process.listenerCount(signal));
  const before = listeners();
  for (const [script, code] of [
    ['exit 7', 7],
    ['kill -9 $$', 137],
  ] as const)
    t.equal(await standIn('/bin/sh', ['-c', script], { stdio: 'ignore' }).ended, code, script);
  await t.rejects(standIn('/no/such/program', [], { stdio: 'ignore' }).ended, { code: 'ENOENT' });
  t.throws(() => standIn('a\0b', [], {}), { code: 'ERR_INVALID_ARG_VALUE' });
  t.strictSame(listeners(), before, 'signals are this process’s own again');
});

t.test('a signal that comes with the first output of the program reaches it', async (t) => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    const name = signal.slice(3);
    // It signals its own stand-in, as early as anybody could.
    const child = standingIn(`trap "exit 3" ${name}; kill -${name} $PPID; while :; do sleep 0.05; done`);
    const [code] = await once(child, 'close');
    t.equal(code, 3, signal);
  }
});
