import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, parseJsonObject } from '@cortexfs/abi/json';
import { parseToolFrame, ToolOutput } from '@cortexfs/abi/tool-io';
import t from 'tap';
import { TestTerminal } from '../../../../setup/test-terminal.ts';
import { execute, type Outcome, objectFile, scratch } from '../object-file.ts';

/** What a host would make of the frames. */
function resultOf({ stdout }: Outcome) {
  const output = new ToolOutput();
  for (const line of stdout.trimEnd().split('\n'))
    output.add(parseToolFrame(parseJsonObject(line) as JsonObject));
  return output.result();
}

t.test('fs.read by bare word, JSON argument and stdin', async (t) => {
  const read = objectFile(t, 'tool', 'fs.read');
  const cwd = scratch(t);
  writeFileSync(join(cwd, 'a file'), 'content\n');
  const outcomes = [
    await execute(read, ['a', 'file'], { cwd }),
    await execute(read, ['{"path":"a file"}'], { cwd }),
    await execute(read, [], { cwd, input: '{"path":"a file"}\n' }),
    await execute(read, [], { cwd, input: 'a file\n' }),
  ];
  for (const outcome of outcomes) {
    t.match(outcome, { code: 0, stderr: '' });
    t.match(outcome.frames, [
      { type: 'start', run: /^[0-9A-Z]{26}$/ },
      { type: 'message', content: [{ type: 'text', text: 'content\n' }] },
      { type: 'done', status: 'ok' },
    ]);
  }
});

t.test('a result too long for one frame comes in deltas that a host puts together', async (t) => {
  const read = objectFile(t, 'tool', 'fs.read');
  const dir = scratch(t);
  const size = 1024 * 1024;
  for (const [name, bytes] of [
    ['text', Buffer.from('中😀x\n'.repeat(size / 8).slice(0, size / 4))],
    ['quotes', Buffer.alloc(size, '"')],
    ['controls', Buffer.alloc(size, 1)],
  ] as const) {
    writeFileSync(join(dir, name), bytes);
    const outcome = await execute(read, [join(dir, name)], { env: { CTX_RUN_ID: 'run-1' } });
    t.equal(outcome.code, 0);
    t.same(resultOf(outcome), { status: 'ok', content: bytes.toString() }, name);
  }
  writeFileSync(join(dir, 'bytes'), Buffer.alloc(size + 1, 0xff));
  const outcome = await execute(read, [join(dir, 'bytes')]);
  const expected = `${Buffer.alloc(size, 0xff).toString('base64')}\n{"encoding":"base64","truncated":true,"next_offset":${size}}`;
  t.same(resultOf(outcome), { status: 'ok', content: expected });
});

t.test('a failure is an error frame, done error and the exit code of its errno', async (t) => {
  const dir = scratch(t);
  mkdirSync(join(dir, 'd'));
  symlinkSync('l', join(dir, 'l'));
  execFileSync('mkfifo', [join(dir, 'f')]);
  const read = objectFile(t, 'tool', 'fs.read');
  for (const [path, code, exit] of [
    ['none', 'ENOENT', 1],
    ['d', 'EISDIR', 1],
    ['l', 'ELOOP', 1],
    ['f', 'EINVAL', 2],
    ['{"path":"x","bad":1}', 'EINVAL', 2],
    ['{', 'EINVAL', 2],
  ] as const) {
    const { code: status, frames, stderr } = await execute(read, [path], { cwd: dir });
    t.equal(status, exit, path);
    t.match(frames, [
      { type: 'start' },
      { type: 'error', code, message: /./ },
      { type: 'done', status: 'error' },
    ]);
    t.equal(stderr, '');
  }
});

t.test('the observation of a failure names its path', async (t) => {
  const outcome = await execute(objectFile(t, 'tool', 'fs.stat'), ['/no/such']);
  t.same(resultOf(outcome), {
    status: 'error',
    content: 'ENOENT: /no/such: no such file or directory',
    code: 'ENOENT',
  });
});

t.test('fs.list and fs.stat answer in JSON', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'b'), '12');
  mkdirSync(join(dir, 'a'));
  const list = await execute(objectFile(t, 'tool', 'fs.list'), [dir]);
  t.match(JSON.parse(resultOf(list).content), [
    { name: 'a', type: 'directory' },
    { name: 'b', type: 'file', size: 2 },
  ]);
  const stat = await execute(objectFile(t, 'tool', 'fs.stat'), [join(dir, 'b')]);
  t.match(JSON.parse(resultOf(stat).content), { name: 'b', type: 'file', size: 2 });
});

t.test('in an agent no link leads out of the workspace, the same link serves a human', async (t) => {
  const dir = scratch(t);
  symlinkSync('/proc/self/status', join(dir, 'out'));
  writeFileSync(join(dir, 'in'), 'x');
  const read = objectFile(t, 'tool', 'fs.read');
  const env = { CTX_AGENT: 'coder' };
  t.match((await execute(read, [join(dir, 'out')], { env })).frames[1], {
    type: 'error',
    code: 'EACCES',
    layer: 'mount',
  });
  t.equal((await execute(read, [join(dir, 'in')], { env })).code, 0);
  t.equal((await execute(read, [join(dir, 'out')])).code, 0);
});

t.test('--help and a terminal without arguments print short usage and read nothing', async (t) => {
  const read = objectFile(t, 'tool', 'fs.read');
  t.match(await execute(read, ['--help']), {
    code: 0,
    stdout: /^fs\.read: Read a file.*\n.*\n {2}path +string/,
    stderr: '',
  });
  const terminal = new TestTerminal(t, [read]);
  t.equal(await terminal.ended, 2);
  await terminal.shows('fs.read: Read a file');
});

t.test('a closed standard input is empty input, not a crash', async (t) => {
  const read = objectFile(t, 'tool', 'fs.read');
  const child = spawn('/bin/sh', ['-c', '"$0" <&-', read], { stdio: ['ignore', 'pipe', 'inherit'] });
  const out: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  const [code] = await once(child, 'close');
  t.equal(code, 2);
  t.match(Buffer.concat(out).toString(), /"code":"EINVAL"/);
});

t.test('a non-blocking standard output loses nothing', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'f'), 'y'.repeat(1024 * 1024));
  const read = objectFile(t, 'tool', 'fs.read');
  // A socket pair that node opened is non-blocking, and the reader is slow to start.
  const child = spawn(read, [join(dir, 'f')], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((done) => setTimeout(done, 300));
  let length = 0;
  child.stdout!.on('data', (chunk: Buffer) => {
    length += chunk.length;
  });
  const [code] = await once(child, 'close');
  t.equal(code, 0);
  t.ok(length > 1024 * 1024);
});
