import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { LineLog } from '../../../src/serve/session/line-log.ts';
import { temporaryDirectory } from '../../temporary.ts';

const line = (text: string) => Buffer.from(`${text}\n`);

t.test('a new log is empty, private, and grows by whole lines', async (t) => {
  const path = join(temporaryDirectory(t), 'log.jsonl');
  const log = LineLog.open(path);
  t.equal(log.size, 0);
  t.equal(log.append(line('one')), 0);
  t.equal(log.append(line('two')), 4);
  t.equal(log.size, 8);
  await log.sync();
  log.close();
  t.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
  t.equal(statSync(path).mode & 0o777, 0o600);
});

t.test('an existing log is continued', (t) => {
  const path = join(temporaryDirectory(t), 'log.jsonl');
  writeFileSync(path, 'one\n');
  const log = LineLog.open(path);
  t.equal(log.append(line('two')), 4);
  const bytes = Buffer.alloc(20);
  t.equal(log.read(bytes, 2), 6);
  t.equal(bytes.toString('utf8', 0, 6), 'e\ntwo\n');
  log.close();
  t.end();
});

t.test('a planted symlink is refused and its target left alone', (t) => {
  const directory = temporaryDirectory(t);
  writeFileSync(join(directory, 'secret'), 'kept');
  symlinkSync(join(directory, 'secret'), join(directory, 'log.jsonl'));
  t.throws(() => LineLog.open(join(directory, 'log.jsonl')), { code: 'ELOOP', layer: 'session' });
  t.equal(readFileSync(join(directory, 'secret'), 'utf8'), 'kept');
  t.end();
});

t.test('a directory in its place is a typed error', (t) => {
  const directory = temporaryDirectory(t);
  mkdirSync(join(directory, 'log.jsonl'));
  t.throws(() => LineLog.open(join(directory, 'log.jsonl')), { code: 'EISDIR' });
  t.end();
});

t.test('a write that fails leaves the log as it was', (t) => {
  const log = LineLog.open('/dev/full');
  t.throws(() => log.append(line('lost')), { code: 'ENOSPC' });
  t.equal(log.size, 0);
  log.close();
  t.end();
});
