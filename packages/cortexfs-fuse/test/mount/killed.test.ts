import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { atScale } from '../../../../setup/test-scale.ts';
import { onEachTransport } from '../fixture/each-transport.ts';
import { numberOf, recordOf } from '../fixture/load/values.mjs';
import { Worker } from '../fixture/load/worker.ts';
import { makeSite, mounted, type Site, stop } from '../fixture/mounted.ts';

const self = process.geteuid!();
const KILLS = atScale(40, 2);
/** What a system call on a mount without a daemon may say. */
const GONE = /^(ENOTCONN|ECONNABORTED|EIO)$/;

onEachTransport(
  'killed under load: everybody is told, the next mount serves, what was acknowledged is there and whole',
  {},
  async (t, transport) => {
    const site = makeSite(t, { transport });
    for (let kill = 0; kill < KILLS; kill++) await killOnce(t, site, kill);
    const last = await mounted(t, site);
    t.equal(await stop(last), 0);
  },
);

async function killOnce(t: Test, site: Site, kill: number): Promise<void> {
  const daemon = await mounted(t, site);
  const home = `home/${self}/kill-${kill}`;
  const at = (path: string) => join(site.root, path);
  mkdirSync(at(home));
  const controls = ['agent/coder.d/policy', 'agent/reviewer.d/policy'] as const;
  const [append, move, replace, edit, read, hold] = [
    new Worker(t, 'append', [at(`${home}/log`)]),
    new Worker(t, 'move', [at(home)]),
    new Worker(t, 'replace', [at(controls[0])]),
    new Worker(t, 'edit', [at(controls[1])]),
    new Worker(t, 'read', [at(controls[0])]),
    new Worker(t, 'hold', [at('status')]),
  ];
  const all = [append, move, replace, edit, read, hold];
  await Promise.all(all.map((worker) => worker.reaches(3)));
  await sleep(Math.random() * 50);
  daemon.process.kill('SIGKILL');
  t.equal(await daemon.ended, 'SIGKILL');
  for (const worker of all) t.match(await worker.error(), GONE, `${worker.role} is told`);
  t.throws(() => readdirSync(site.root), { code: GONE }, 'as is whoever comes now');
  rmSync(join(site.store.runtime, 'mount.json'));

  const next = await mounted(t, site);
  const log = readFileSync(at(`${home}/log`), 'utf8');
  const records = log.split('\n').length - 1;
  t.ok(records > append.acknowledged, `${append.acknowledged} records were synced, there are ${records}`);
  t.ok(
    log === Array.from({ length: records }, (_, i) => recordOf(i)).join(''),
    'one after the other, each whole',
  );
  const moved = readdirSync(at(home)).filter((name) => /^[0-9]+$/.test(name));
  t.ok(moved.length > move.acknowledged, 'each directory that was moved is there');
  t.ok(
    moved.every((name) => readFileSync(at(`${home}/${name}/file`), 'utf8') === recordOf(Number(name))),
    'with the file in it',
  );
  for (const [worker, control] of [
    [replace, controls[0]],
    [edit, controls[1]],
  ] as const) {
    const number = numberOf(readFileSync(at(control), 'utf8'));
    t.ok(number !== undefined, `${worker.role}: the control is one whole value`);
    t.ok(number! >= worker.acknowledged, 'and not older than the last that was acknowledged');
  }
  t.equal(await stop(next), 0);
  t.equal(next.said(), '');
}
