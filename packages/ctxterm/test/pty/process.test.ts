import { createHash } from 'node:crypto';
import t from 'tap';
import { type PtyExit, PtyProcess } from '../../src/pty/process.ts';

interface Finished extends PtyExit {
  output: Buffer;
}

function run(
  file: string,
  args: string[],
  during?: (pty: PtyProcess, chunk: Buffer) => void,
): Promise<Finished> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const pty: PtyProcess = new PtyProcess(
      { file, args, env: { PATH: '/usr/bin:/bin', TERM: 'xterm' }, cwd: '/', cols: 80, rows: 24 },
      {
        data: (chunk) => {
          chunks.push(chunk);
          during?.(pty, chunk);
        },
        exit: (how) => resolve({ ...how, output: Buffer.concat(chunks) }),
      },
    );
  });
}

t.test('output of a command that exits at once is complete, 200 times in a row', async (t) => {
  const expected = Array.from({ length: 3000 }, (_, i) => `${i + 1}\r\n`).join('');
  let complete = 0;
  for (let i = 0; i < 200; i++) {
    const { output, exitCode } = await run('/usr/bin/seq', ['1', '3000']);
    if (exitCode === 0 && output.toString() === expected) complete++;
  }
  t.equal(complete, 200);
});

t.test('a single byte of output is not lost either, 100 times in a row', async (t) => {
  let complete = 0;
  for (let i = 0; i < 100; i++)
    if ((await run('/usr/bin/printf', ['x'])).output.toString() === 'x') complete++;
  t.equal(complete, 100);
});

t.test('output that was held back by pause arrives whole and in order', async (t) => {
  const script = 'i=0; while [ $i -lt 20000 ]; do echo "line $i"; i=$((i+1)); done';
  const { output } = await run('/bin/sh', ['-c', script], (pty) => {
    pty.pause();
    setTimeout(() => pty.resume(), 1);
  });
  const expected = Array.from({ length: 20000 }, (_, i) => `line ${i}\r\n`).join('');
  t.equal(
    createHash('sha256').update(output).digest('hex'),
    createHash('sha256').update(expected).digest('hex'),
  );
});

t.test('what the stream held when the program ended is told once (it was told twice)', async (t) => {
  let whole = 0;
  for (let i = 0; i < 30; i++) {
    // Paused for good at the first chunk: the rest comes when the program ends.
    const { output } = await run('/usr/bin/seq', ['1', '900'], (pty) => pty.pause());
    if (output.toString() === Array.from({ length: 900 }, (_, n) => `${n + 1}\r\n`).join('')) whole++;
  }
  t.equal(whole, 30);
});

t.test('the exit code and the signal of the program are told apart', async (t) => {
  const exited = await run('/bin/sh', ['-c', 'exit 7']);
  t.match(exited, { exitCode: 7, signal: 0 });
  const killed = await run('/bin/sh', ['-c', 'kill -TERM $$']);
  t.equal(killed.signal, 15);
});

t.test('input reaches the program and its echo comes back', async (t) => {
  let sent = false;
  const { output } = await run('/bin/sh', ['-c', 'echo ready; read line; echo "got:$line"'], (pty) => {
    if (!sent) sent = pty.write(Buffer.from('héllo\n'));
  });
  t.match(output.toString(), /got:héllo/);
});

t.test('a resize is seen by the program', async (t) => {
  let sent = false;
  const { output } = await run('/bin/sh', ['-c', 'echo ready; read x; stty size'], (pty) => {
    if (sent) return;
    sent = true;
    pty.resize(132, 43);
    pty.write(Buffer.from('\n'));
  });
  t.match(output.toString(), /43 132/);
});

t.test('a signal goes to the foreground process group, not to the shell behind it', async (t) => {
  let sent = false;
  const script = 'trap "echo shell-survived" INT; sh -c "echo ready; exec sleep 30"; echo "child $?"';
  const { output } = await run('/bin/bash', ['-i', '-c', `set -m; ${script}`], (pty, chunk) => {
    if (sent || !chunk.includes('ready')) return;
    sent = pty.signalForeground('SIGINT');
  });
  t.match(output.toString(), /child 130/);
  t.notMatch(output.toString(), /shell-survived/);
});

t.test('a background process that keeps writing does not keep the terminal open', async (t) => {
  const begun = Date.now();
  const { exitCode } = await run('/bin/sh', ['-c', 'trap "" HUP; (yes background & ) ; exit 3']);
  t.equal(exitCode, 3);
  t.ok(Date.now() - begun < 60_000);
});

t.test('input beyond the limit is refused whole, and the terminal lives on', async (t) => {
  let results: boolean[] = [];
  const { output } = await run(
    '/bin/sh',
    ['-c', 'stty raw -echo; echo ready; sleep 0.5; echo end'],
    (pty, chunk) => {
      if (results.length > 0 || !chunk.includes('ready')) return;
      const half = Buffer.alloc(512 * 1024, 'x');
      results = [pty.write(half), pty.write(half), pty.write(half), pty.write(half)];
    },
  );
  t.equal(results[0], true);
  t.equal(results.at(-1), false);
  t.match(output.toString(), /end/);
});
