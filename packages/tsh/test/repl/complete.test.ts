import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { splitWords } from '@cortexfs/abi/command-words';
import t from 'tap';
import { complete } from '../../src/repl/complete.ts';

const sources = { commands: () => ['fs.read', 'fs.list', 'find', 'help'] };

t.test('the first word completes to commands', async (t) => {
  t.same(complete('f', sources), [['find ', 'fs.list ', 'fs.read '], 'f']);
  t.same(complete('  fs.r', sources), [['fs.read '], 'fs.r']);
  t.same(complete('', sources)[0].length, 4);
});

t.test('later words complete to paths, written so that they read back as one word', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'tshc-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "a 'b' 日本.txt"), '');
  mkdirSync(join(directory, 'sub'));
  writeFileSync(join(directory, '.hidden'), '');
  const [[file]] = complete(`fs.read ${directory}/a`, sources);
  t.same(splitWords(`fs.read ${file}`), ['fs.read', join(directory, "a 'b' 日本.txt")]);
  t.same(complete(`fs.read ${directory}/s`, sources)[0], [`${directory}/sub/`]);
  t.equal(complete(`fs.read ${directory}/`, sources)[0].length, 2);
  t.same(complete('fs.read /nonexistent/x', sources)[0], []);
  const half = complete(`fs.read ${directory}/a\\ '`, sources);
  t.equal(half[1], `${directory}/a\\ '`);
});
