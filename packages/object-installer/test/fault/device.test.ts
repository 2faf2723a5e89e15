import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import t, { type Test } from 'tap';
import { type Changing, STEPS } from '../../src/step/lists.ts';
import { bundle } from './bundle.ts';
import type { Case } from './device-driver.ts';

const driver = await bundle(t, 'device-driver');
const cases: Case[] = [];

t.before(async () => {
  const user = process.geteuid!() === 0 ? [] : ['--user', '--map-root-user'];
  const args = [
    ...user,
    '--mount',
    '--propagation',
    'private',
    process.execPath,
    driver,
    process.env['CORTEXFS_TEST_SCALE'] ?? 'everyday',
  ];
  const child = spawn('/usr/bin/unshare', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) cases.push(JSON.parse(line));
  const [code] = await exit;
  if (code !== 0) throw new Error(`the driver exited ${code} after ${JSON.stringify(cases.at(-1))}`);
});

/** Each case, and that the faults were really met. */
function holds(t: Test, kind: string, ends: RegExp, met: readonly string[]): void {
  const own = cases.filter((one) => one.kind === kind);
  for (const { command, what, end, wrong } of own) {
    t.same(wrong, [], `${command}, ${what}`);
    t.match(end, ends, `${command}, ${what}: how it ended`);
  }
  for (const command of Object.keys(STEPS) as Changing[]) {
    const ended = new Set(own.filter((one) => one.command === command).map(({ end }) => end));
    // A cleanup has few steps, and takes no space.
    const wanted = kind !== 'EROFS' && command === 'cleanup' ? ['done'] : met;
    for (const end of wanted) t.ok(ended.has(end), `${command} also ended ${end}`);
  }
}

t.test('EROFS: a file system that becomes read-only after each step', async (t) => {
  holds(t, 'EROFS', /^(done|EROFS)$/, ['EROFS']);
});

t.test('ENOSPC: no block, or no inode, for each write in turn; everything is taken back', async (t) => {
  holds(t, 'ENOSPC', /^(done|ENOSPC)$/, ['done', 'ENOSPC']);
});

t.test('EIO, ENOSPC, EROFS from the kernel at every change, from each step on', async (t) => {
  holds(t, 'calls', /^(done|EIO|ENOSPC|EROFS)$/, ['done', 'EIO', 'ENOSPC']);
});
