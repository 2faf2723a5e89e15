import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { MAX_OUTPUT_BYTES } from '../../shell.exec/capture.ts';
import { type ExecInput, tool } from '../../shell.exec/tool.ts';
import { asAgent, call, scratch } from '../scratch.ts';

async function exec(input: ExecInput) {
  const [text, ...rest] = await call(tool, input);
  if (rest.length > 0) throw new Error('more than one text');
  return JSON.parse(text!) as Record<string, unknown>;
}

t.test('output, errors and the exit code come back; a failing command is a result', async (t) => {
  t.same(await exec({ cmd: 'echo out; echo err >&2; exit 3' }), {
    exit_code: 3,
    stdout: 'out\n',
    stderr: 'err\n',
    truncated: false,
  });
  t.match(await exec({ cmd: 'kill -KILL $$' }), { exit_code: 137 });
  t.match(await exec({ cmd: 'no-such-program-here' }), { exit_code: 127 });
});

t.test('standard input is empty', async (t) => {
  t.match(await exec({ cmd: 'cat; echo end' }), { exit_code: 0, stdout: 'end\n' });
});

t.test('the command runs in cwd', async (t) => {
  const dir = scratch(t);
  mkdirSync(join(dir, 'd'));
  t.match(await exec({ cmd: 'pwd -P', cwd: join(dir, 'd') }), { stdout: `${join(dir, 'd')}\n` });
  writeFileSync(join(dir, 'f'), '');
  await t.rejects(exec({ cmd: 'true', cwd: join(dir, 'f') }), { code: 'ENOTDIR' });
  await t.rejects(exec({ cmd: 'true', cwd: join(dir, 'none') }), { code: 'ENOENT' });
});

t.test('for an agent cwd cannot be a link out of the mount', async (t) => {
  const dir = scratch(t);
  symlinkSync('/proc', join(dir, 'out'));
  asAgent(t);
  await t.rejects(exec({ cmd: 'true', cwd: join(dir, 'out') }), { code: 'EACCES', layer: 'mount' });
  t.match(await exec({ cmd: 'true', cwd: dir }), { exit_code: 0 });
});

t.test('the beginning of a long output is kept, the command is not held up', async (t) => {
  const result = await exec({ cmd: 'head -c 5000000 /dev/zero | tr "\\0" x; echo done >&2' });
  t.equal((result['stdout'] as string).length, MAX_OUTPUT_BYTES);
  t.match(result, { exit_code: 0, stderr: 'done\n', truncated: true });
  const exact = await exec({ cmd: `head -c ${MAX_OUTPUT_BYTES} /dev/zero | tr "\\0" x` });
  t.match(exact, { truncated: false });
});

t.test('the output of a command that ends at once is complete', async (t) => {
  for (let n = 0; n < 20; n++) t.equal((await exec({ cmd: 'seq 1 3000' }))['stdout'], lines);
});
const lines = Array.from({ length: 3000 }, (_, n) => `${n + 1}\n`).join('');

t.test('at the timeout the whole group ends, also what ignores SIGTERM', async (t) => {
  const dir = scratch(t);
  const start = performance.now();
  const result = await exec({
    cmd: `trap '' TERM; (sleep 60; touch ${dir}/late) & echo $! > ${dir}/pid; sleep 60; sleep 60`,
    timeout_s: 1,
  });
  t.match(result, { timed_out: true });
  t.ok(performance.now() - start < 30_000);
  await ends(Number(readFileSync(join(dir, 'pid'), 'utf8')));
  t.notOk(existsSync(join(dir, 'late')));
});

t.test('what a command leaves in its group ends with it', async (t) => {
  const dir = scratch(t);
  const start = performance.now();
  t.match(await exec({ cmd: `sleep 60 & echo $! > ${dir}/pid` }), { exit_code: 0 });
  t.ok(performance.now() - start < 30_000, 'the pipe that it held was not waited for');
  await ends(Number(readFileSync(join(dir, 'pid'), 'utf8')));
});

t.test('a tool that is stopped takes its command along', async (t) => {
  const dir = scratch(t);
  const script = `
    const { tool } = await import(${JSON.stringify(join(import.meta.dirname, '../../shell.exec/tool.ts'))});
    await tool.run({ cmd: 'echo $$ > ${dir}/pid; exec sleep 60' }, { message() {} });`;
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const child = spawn(process.execPath, ['--import', loader, '--input-type=module', '-e', script], {
    stdio: 'inherit',
  });
  const pid = await appears(join(dir, 'pid'));
  t.ok(isAlive(pid));
  const ended = new Promise((done) => child.once('exit', (_, signal) => done(signal)));
  child.kill('SIGTERM');
  t.equal(await ended, 'SIGTERM');
  await ends(pid);
});

t.test('NUL is refused', async (t) => {
  await t.rejects(exec({ cmd: 'echo a\0b' }), { code: 'EINVAL' });
});

async function appears(path: string): Promise<number> {
  for (;;) {
    const pid = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
    if (pid > 0) return pid;
    await delay(20);
  }
}

/** A killed process takes its time to go, on a busy machine; none of these would go by itself within the patience. */
async function ends(pid: number): Promise<void> {
  for (const deadline = Date.now() + 30_000; isAlive(pid); await delay(20))
    if (Date.now() > deadline) throw new Error(`process ${pid} is still alive`);
}

/** Zombies, which wait for an init to reap them, do not count. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
