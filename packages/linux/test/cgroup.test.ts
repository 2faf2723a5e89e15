import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Cgroup, ownCgroup } from '../src/cgroup.ts';

t.test('a directory that is no control group takes nothing and makes no files', (t) => {
  const parent = mkdtempSync('/tmp/cxg-');
  t.teardown(() => rmSync(parent, { recursive: true, force: true }));
  const group = Cgroup.make(parent, 'one')!;
  for (const refused of [group.add(process.pid), group.kill(), group.limit('pids.max', 5)])
    t.equal(refused, false);
  t.strictSame(group.processes, []);
  t.ok(group.remove());
  t.notOk(existsSync(group.path));
  t.ok(group.remove(), 'what is gone is removed');
  t.equal(Cgroup.make(join(parent, 'nowhere'), 'x'), undefined);
  t.end();
});

t.test('the kernel files of a group get what they are to get', (t) => {
  const parent = mkdtempSync('/tmp/cxg-');
  t.teardown(() => rmSync(parent, { recursive: true, force: true }));
  mkdirSync(join(parent, 'one'));
  const files = ['cgroup.procs', 'cgroup.kill', 'pids.max', 'memory.max'];
  for (const file of files) writeFileSync(join(parent, 'one', file), '');
  const group = Cgroup.existing(join(parent, 'one'));
  t.ok(
    [group.add(7), group.kill(), group.limit('pids.max', 5), group.limit('memory.max', 4096)].every(Boolean),
  );
  t.strictSame(
    files.map((file) => readFileSync(join(parent, 'one', file), 'utf8')),
    ['7', '1', '5', '4096'],
  );
  t.strictSame(group.processes, [7]);
  t.equal(group.remove(), false, 'what does not go is told');
  t.end();
});

t.test('where groups can be made, all in one end at once', async (t) => {
  const parent = ownCgroup();
  const group = parent === undefined ? undefined : Cgroup.make(parent, `cortexfs-unit-${process.pid}`);
  if (parent === undefined || group === undefined) {
    t.notOk(existsSync(join(parent ?? '/nowhere', `cortexfs-unit-${process.pid}`)), 'nothing is made');
    return;
  }
  const child = spawn('/bin/sh', ['-c', "trap '' TERM; setsid sleep 60 & read line; sleep 61"], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  t.ok(group.add(child.pid!));
  const exited = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  t.ok(group.processes.includes(child.pid!));
  t.ok(group.kill());
  t.equal(await exited, 'SIGKILL');
  for (let looks = 0; !group.remove() && looks < 500; looks++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  t.notOk(existsSync(group.path));
});
