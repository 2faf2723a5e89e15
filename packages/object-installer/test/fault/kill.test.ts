import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { atScale } from '../../../../setup/test-scale.ts';
import { type Changing, STEPS } from '../../src/step/lists.ts';
import type { Site } from '../support/store.ts';
import { bundle } from './bundle.ts';
import { faultOf, resolve, SCENES, siteOf } from './scenes.ts';

const driver = await bundle(t, 'kill-driver');
const commands = Object.keys(STEPS) as Changing[];

for (const command of commands) {
  t.test(`${command}: killed after each step`, async (t) => {
    const steps = STEPS[command].map(({ name }) => name);
    const sites: { step: string; site: Site }[] = [];
    for (const step of steps) sites.push({ step, site: await siteOf(command) });
    t.teardown(() => sites.forEach(({ site }) => void site.remove()));
    // One process is in the middle of all of them when it dies: each in a store of its own.
    const words = sites.flatMap(({ step, site }) => [site.folder, command, step]);
    const child = spawn(process.execPath, [driver, 'freeze', ...words], { stdio: 'inherit' });
    const [, signal] = await once(child, 'exit');
    t.equal(signal, 'SIGKILL', 'every step was reached');
    const outcomes = new Set<string>();
    for (const [index, { step, site }] of sites.entries()) {
      t.equal(await faultOf(command, site), undefined, `${step}: one of the three states`);
      outcomes.add(site.names().includes('example.echo') ? 'visible' : 'not visible');
      t.equal(
        await resolve(command, site, index % 4 === 0),
        undefined,
        `${step}: the command that is named mends it`,
      );
    }
    const both = SCENES[command].old !== undefined || SCENES[command].new !== undefined;
    t.equal(outcomes.size, both ? 2 : 1, 'both sides of the moment that counts were met');
  });
}

t.test('killed at random times', async (t) => {
  const times = atScale(500, 25);
  let killed = 0;
  for (let turn = 0; turn < times; turn++) {
    const command = commands[turn % commands.length]!;
    const site = await siteOf(command);
    try {
      const child = spawn(process.execPath, [driver, 'run', site.folder, command], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exit = once(child, 'exit');
      await Promise.race([once(child.stdout, 'data'), exit]);
      // A command takes some 20 ms of a quiet machine.
      const after = Math.random() * 40;
      await Promise.race([sleep(after), exit]);
      child.kill('SIGKILL');
      const [code, signal] = await exit;
      if (signal === 'SIGKILL') killed++;
      else t.equal(code, 0);
      const what = `${command} after ${after.toFixed(1)} ms`;
      t.equal(await faultOf(command, site), undefined, `${what}: one of the three states`);
      t.equal(await resolve(command, site, turn % 5 === 0), undefined, `${what}: mended`);
    } finally {
      site.remove();
    }
  }
  t.ok(killed > 0, `${killed} of ${times} were stopped in the middle`);
});
