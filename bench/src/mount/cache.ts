import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../table.ts';
import { agentName } from './agents.ts';
import type { Place } from './place.ts';

const COUNT = 10_000;

/** How many of many stats of one unchanged control, in well under a second, the daemon hears of. */
export async function cacheRow(place: Place): Promise<Row> {
  const path = join(place.root, `agent/${agentName(0)}.d/policy`);
  const script = `const {statSync} = require('node:fs'); statSync(${JSON.stringify(path)}); process.stdin.once('data', () => {
    for (let i = 0; i < ${COUNT}; i++) statSync(${JSON.stringify(path)}); process.exit(); }); process.stdout.write('.')`;
  const client = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  await new Promise((resolve) => client.stdout.once('data', resolve));
  const before = readsOf(place);
  client.stdin.write('go');
  await new Promise((resolve) => client.once('close', resolve));
  const asked = readsOf(place) - before;
  return {
    work: `${COUNT} stats of one control`,
    ours: `${asked} requests`,
    against: `${COUNT} calls`,
    result: `${(100 - (asked / COUNT) * 100).toFixed(2)} % by the kernel`,
    goal: 'served by the kernel',
  };
}

/** Each request is one read of the device by the daemon. */
function readsOf({ process: { pid } }: Place): number {
  return Number(/^syscr: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}
