import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseJsonObject } from '@cortexfs/abi/json';
import { parseTerminalRecord, type TerminalRecord } from '@cortexfs/abi/session/terminal';
import t from 'tap';
import { LogFile } from '../../src/log/file.ts';
import { Journal } from '../../src/log/journal.ts';
import { scratch } from '../support/served.ts';

function records(file: string): TerminalRecord[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  if (lines.pop() !== '') throw new Error('the last line is not whole');
  return lines.map((line) => parseTerminalRecord(parseJsonObject(line)));
}

async function journalOf(directory: string, write: (journal: Journal) => void): Promise<void> {
  const journal = new Journal(directory, (error) => {
    throw error;
  });
  write(journal);
  await journal.close();
}

t.test('records are numbered, timed and read back', async (t) => {
  const directory = scratch(t);
  await journalOf(directory, (journal) => {
    journal.output('YQ==');
    journal.record({ type: 'pty.resize', cols: 10, rows: 5 });
    journal.record({ type: 'client.attach', uid: 1, pid: 2, mode: 'watch' });
    journal.record({ type: 'process.exit', exit_code: 0, signal: null });
  });
  const read = records(join(directory, 'events.jsonl'));
  t.same(
    read.map(({ seq, type }) => [seq, type]),
    [
      [1, 'pty.output'],
      [2, 'pty.resize'],
      [3, 'client.attach'],
      [4, 'process.exit'],
    ],
  );
  t.equal(statSync(join(directory, 'events.jsonl')).mode & 0o777, 0o600);
});

t.test('numbers go on after a restart, and skip what a crash may have lost', async (t) => {
  const directory = scratch(t);
  const exit = { type: 'process.exit', exit_code: 0, signal: null } as const;
  await journalOf(directory, (journal) => journal.record(exit));
  await journalOf(directory, (journal) => journal.output('YQ=='));
  await journalOf(directory, (journal) => journal.record(exit));
  const seqs = records(join(directory, 'events.jsonl')).map(({ seq }) => seq);
  t.same(seqs.slice(0, 2), [1, 2]);
  t.ok(seqs[2]! > 1_000_000, 'output was last: some numbers may have been told and not written');
});

t.test('a half-written last line is cut off, a damaged one passed over', async (t) => {
  const directory = scratch(t);
  const file = join(directory, 'events.jsonl');
  await journalOf(directory, (journal) =>
    journal.record({ type: 'process.exit', exit_code: 0, signal: null }),
  );
  appendFileSync(file, '{"seq":99,"ts":"2026-');
  await journalOf(directory, (journal) =>
    t.equal(journal.record({ type: 'process.exit', exit_code: 1, signal: null }), 2),
  );
  t.same(
    records(file).map(({ seq }) => seq),
    [1, 2],
  );
  appendFileSync(file, 'damaged\n');
  await journalOf(directory, (journal) => t.equal(journal.seq, 2));
  for (const content of ['', '\n', 'x', '\n\n\n', 'x\ny\n']) {
    writeFileSync(file, content);
    await journalOf(directory, (journal) => t.equal(journal.seq, 0));
  }
});

t.test('without a directory records are numbered all the same', async (t) => {
  const journal = new Journal(undefined, () => {});
  t.equal(journal.output('YQ=='), 1);
  t.equal(journal.record({ type: 'pty.resize', cols: 1, rows: 1 }), 2);
  await journal.close();
});

function logFile(path: string, more: Partial<ConstructorParameters<typeof LogFile>[0]> = {}) {
  let seq = 0;
  const failures: string[] = [];
  const file = new LogFile({
    path,
    size: 0,
    nextSeq: () => ++seq,
    failed: (error) => failures.push(error.code ?? error.message),
    ...more,
  });
  return {
    file,
    failures,
    line: (size: number) =>
      Buffer.from(
        `{"seq":${++seq},"ts":"2026-01-01T00:00:00.000Z","type":"pty.output","data_b64":"${'A'.repeat(size)}"}\n`,
      ),
  };
}

t.test('a full log is set aside, two files are kept, and the new one says so', async (t) => {
  const path = join(scratch(t), 'events.jsonl');
  const { file, line } = logFile(path, { rotateBytes: 10_000 });
  for (let i = 0; i < 50; i++) {
    file.append(line(1000));
    await delay(1);
  }
  await file.close();
  const older = records(`${path}.1`);
  const newer = records(path);
  t.match(newer[0], { type: 'log.rotate', file: 'events.jsonl.1' });
  t.match(older[0], { type: 'log.rotate' });
  t.equal(existsSync(`${path}.2`), false);
  t.ok(statSync(`${path}.1`).size >= 10_000);
  const seqs = [...older, ...newer].map(({ seq }) => seq);
  t.same(
    seqs,
    [...seqs].sort((a, b) => a - b),
  );
});

t.test(
  'a full disk drops lines, tells once, leaves whole lines, and marks the gap when there is room again',
  async (t) => {
    const directory = scratch(t);
    const disk = join(directory, 'disk');
    mkdirSync(disk);
    execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
    t.teardown(() => execFileSync('/usr/bin/umount', ['-l', disk]));
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(40 * 1024));
    const path = join(disk, 'events.jsonl');
    const { file, failures, line } = logFile(path, { retryMs: 20, roomBytes: 20_000 });
    for (let i = 0; i < 20; i++) {
      file.append(line(5000));
      await delay(5);
    }
    t.same(failures, ['ENOSPC']);
    const before = records(path);
    t.ok(before.length > 0 && before.length < 20);
    t.equal(file.backlog, 0);
    writeFileSync(join(disk, 'ballast'), '');
    await delay(40);
    file.append(line(100));
    await file.close();
    const after = records(path).slice(before.length);
    t.same(after.map(({ type }) => type).slice(-2), ['error', 'pty.output']);
    t.match(after.at(-2), { code: 'ENOSPC' });
  },
);
