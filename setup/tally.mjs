// Counts real results: the named tests of every test file, from the TAP that each package left in .tap/results.tap.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.mjs';

export function clearResults() {
  for (const folder of testFolders()) rmSync(join(folder, '.tap'), { recursive: true, force: true });
}

/** { passed, failed, skipped, failures }: `checks` are further named results; a package that left no result has failed. */
export function readTally(checks) {
  const tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const [name, ok] of Object.entries(checks)) count(tally, ok, name);
  for (const folder of testFolders()) {
    const name = folder.slice(checkout.length + 1);
    const results = join(folder, '.tap/results.tap');
    if (!existsSync(results)) count(tally, false, `${name}: no results`);
    else countStream(tally, name, readFileSync(results, 'utf8'));
  }
  return tally;
}

function testFolders() {
  const packages = readdirSync(join(checkout, 'packages')).map((name) => join(checkout, 'packages', name));
  return [...packages, join(checkout, 'tools'), join(checkout, 'e2e')];
}

/**
 * One stream: a test file is a test point at the outer level, its tests are those one level in.
 * A file that failed without a failed test of its own (it crashed, timed out or ran nothing) counts as one failure.
 */
function countStream(tally, name, stream) {
  let inner = [];
  let planned = false;
  for (const line of stream.split('\n')) {
    const point = /^( {4})?(not )?ok \d+ - (.*)$/.exec(line);
    if (/^1\.\.\d+/.test(line)) planned = true;
    if (!point) continue;
    const [, indented, not, rest] = point;
    const title = rest.replace(/ # time=.*$/, '');
    if (indented) {
      inner.push({ ok: !not, title, skipped: / # (SKIP|TODO)\b/i.test(rest) });
      continue;
    }
    for (const test of inner) {
      if (test.skipped) tally.skipped += 1;
      else count(tally, test.ok, `${name}/${title}: ${test.title}`);
    }
    if (not && inner.every((test) => test.ok)) count(tally, false, `${name}/${title}`);
    if (!not && inner.length === 0) count(tally, false, `${name}/${title}: ran no test`);
    inner = [];
  }
  if (!planned) count(tally, false, `${name}: the results break off`);
}

function count(tally, ok, name) {
  tally[ok ? 'passed' : 'failed'] += 1;
  if (!ok) tally.failures.push(name);
}
