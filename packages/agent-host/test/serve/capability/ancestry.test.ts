import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ProcessStat, startTimeOf } from '@cortexfs/linux/process';
import t from 'tap';
import { descendsFrom, MAX_ANCESTORS } from '../../../src/serve/capability/ancestry.ts';

const stat = (parent: number, startTime: number, state = 'S'): ProcessStat => ({
  parent,
  startTime,
  state,
  group: 1,
  session: 1,
});
/** A process table of a test: pid to what /proc would say. */
const table = (entries: Record<number, ProcessStat>) => (pid: number) => entries[pid];
const ROOT = { pid: 10, startTime: 100 };

t.test('the root itself and its live descendants are accepted', (t) => {
  const processes = table({ 10: stat(2, 100), 11: stat(10, 110), 12: stat(11, 120) });
  for (const pid of [10, 11, 12]) t.ok(descendsFrom(pid, [ROOT], processes), String(pid));
  t.end();
});

t.test('what cannot be proven is refused', (t) => {
  const cases: [string, number, Record<number, ProcessStat>][] = [
    ['a stranger', 20, { 10: stat(2, 100), 20: stat(2, 120), 2: stat(1, 1) }],
    ['a missing process', 12, { 10: stat(2, 100) }],
    ['a missing parent', 12, { 10: stat(2, 100), 12: stat(11, 120) }],
    ['a dead process', 11, { 10: stat(2, 100), 11: stat(10, 110, 'Z') }],
    ['a dead ancestor', 12, { 10: stat(2, 100), 11: stat(10, 110, 'X'), 12: stat(11, 120) }],
    ['a root whose pid was reused', 11, { 10: stat(2, 105), 11: stat(10, 110) }],
    ['a parent younger than its child', 12, { 10: stat(2, 100), 11: stat(10, 130), 12: stat(11, 120) }],
    ['re-parented to init', 11, { 10: stat(2, 100), 11: stat(1, 110), 1: stat(0, 1) }],
    ['a loop', 11, { 10: stat(2, 100), 11: stat(12, 110), 12: stat(11, 110) }],
  ];
  for (const [what, pid, entries] of cases) t.notOk(descendsFrom(pid, [ROOT], table(entries)), what);
  t.notOk(descendsFrom(10, [], table({ 10: stat(2, 100) })), 'nothing is registered');
  t.end();
});

t.test('the way up is at most 64 long', (t) => {
  const entries: Record<number, ProcessStat> = { 10: stat(2, 100) };
  for (let depth = 1; depth <= MAX_ANCESTORS + 1; depth++) entries[10 + depth] = stat(9 + depth, 100);
  t.ok(descendsFrom(10 + MAX_ANCESTORS, [ROOT], table(entries)));
  t.notOk(descendsFrom(11 + MAX_ANCESTORS, [ROOT], table(entries)));
  t.end();
});

t.test('a process that is replaced between the two looks is refused', (t) => {
  let looks = 0;
  const changing = (pid: number) =>
    pid === 11 && ++looks > 1
      ? stat(10, 999)
      : ({ 10: stat(2, 100), 11: stat(10, 110) } as Record<number, ProcessStat>)[pid];
  t.notOk(descendsFrom(11, [ROOT], changing));
  t.end();
});

t.test('it holds for real processes', async (t) => {
  const child = spawn('/bin/sh', ['-c', 'sleep 30 & echo $!; wait'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(child.stdout!, 'data');
  const grandchild = Number(String(line));
  const root = { pid: child.pid!, startTime: startTimeOf(child.pid!)! };
  t.ok(descendsFrom(grandchild, [root]));
  t.notOk(descendsFrom(process.pid, [root]), 'a parent is no descendant');
  process.kill(grandchild);
  child.kill();
  await once(child, 'exit');
  t.notOk(descendsFrom(grandchild, [root]));
});
