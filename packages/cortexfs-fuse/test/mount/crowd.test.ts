import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { atScale } from '../../../../setup/test-scale.ts';
import { makeSite, mounted, type Site, stop } from '../fixture/mounted.ts';

const ENTRIES = atScale(100_000, 5000);
const AGENTS = atScale(1000, 100);
/** How many times as long the median answer may take while others are at their worst. Machines are noisy; a stall has no end. */
const PATIENCE = 500;

t.test('large, stopped and many: everything is answered, nobody else waits', async (t) => {
  const site = makeSite(t);
  const home = join(site.root, `home/${process.geteuid!()}`);
  const names = fill(site);
  const running = await mounted(t, site);
  const others = () => medianOf(join(home, 'small'));
  const quiet = others();

  await t.test(`a directory of ${ENTRIES} entries is listed whole, each name once`, async (t) => {
    const listed = readdirSync(join(home, 'big'));
    t.equal(listed.length, ENTRIES);
    t.strictSame(new Set(listed), new Set(names));
    const { ino } = statSync(join(home, 'big', names.at(-1)!));
    t.equal(ino, statSync(join(site.store.source, `home/${process.geteuid!()}/big`, names.at(-1)!)).ino);
  });

  await t.test(`${AGENTS} agents are listed whole, each with its controls`, async (t) => {
    const listed = readdirSync(join(site.root, 'agent'));
    for (let i = 0; i < AGENTS; i += 10) {
      t.ok(listed.includes(`many-${i}`) && listed.includes(`many-${i}.d`));
      t.equal(readFileSync(join(site.root, `agent/many-${i}.d/owner`), 'utf8'), `${process.geteuid!()}\n`);
    }
  });

  await t.test(
    'clients that stop in the middle of what they asked for keep nobody waiting, and can go on',
    async (t) => {
      const stopped = ['list', 'read', 'append'].map((role) => new Client(t, role, home));
      for (const client of stopped) await client.works();
      for (const client of stopped) client.signal('SIGSTOP');
      const ratio = others() / quiet;
      t.ok(ratio < PATIENCE, `the median took ${ratio.toFixed(1)} times as long`);
      readdirSync(join(home, 'big'));
      for (const client of stopped) client.signal('SIGCONT');
      for (const client of stopped) await client.works();
    },
  );

  await t.test('nor do those who never stop', async (t) => {
    const busy = ['list', 'list', 'read'].map((role) => new Client(t, role, home));
    for (const client of busy) await client.works();
    const ratio = others() / quiet;
    t.ok(ratio < PATIENCE, `the median took ${ratio.toFixed(1)} times as long`);
  });

  t.equal(await stop(running), 0);
  t.match(running.said(), /^(SIGTERM: .*in use.*\n)?$/);
});

/** A home with a big directory, a large file and a small one, and many agents; returns the big one's names. */
function fill({ store }: Site): string[] {
  const home = join(store.source, `home/${process.geteuid!()}`);
  const names = Array.from({ length: ENTRIES }, (_, i) => `entry-${i}`);
  mkdirSync(join(home, 'big'));
  for (const name of names) writeFileSync(join(home, 'big', name), '');
  for (const name of ['small', 'large', 'log']) writeFileSync(join(home, name), 'x');
  truncateSync(join(home, 'large'), 1 << 28);
  for (let i = 0; i < AGENTS; i++) {
    store.write(`agent/many-${i}`, 'x', 0o755);
    store.write(`agent/many-${i}.d/owner`, `${process.geteuid!()}\n`);
  }
  return names;
}

/** Milliseconds of the median of questions that the daemon itself has to answer. */
function medianOf(path: string): number {
  const taken = Array.from({ length: 200 }, () => {
    const start = performance.now();
    statSync(path);
    return performance.now() - start;
  });
  return taken.sort((a, b) => a - b)[100]!;
}

/** A process that does one thing again and again and says so each time. */
class Client {
  readonly #process: ChildProcess;

  constructor(t: Test, role: string, home: string) {
    this.#process = spawn(process.execPath, ['-e', ROLES, role, home], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(async () => {
      const ended = once(this.#process, 'close');
      this.#process.kill('SIGKILL');
      await ended;
    });
  }

  /** It has done its thing another time, from now on. */
  async works(): Promise<void> {
    this.#process.stdout!.read();
    await once(this.#process.stdout!, 'readable');
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }
}

const ROLES = `
const fs = require('node:fs');
const [role, home] = process.argv.slice(1);
const fd = role === 'list' ? -1 : fs.openSync(home + (role === 'read' ? '/large' : '/log'), role === 'read' ? 'r' : 'a');
const buffer = Buffer.alloc(1 << 20);
const roles = {
  list: () => fs.readdirSync(home + '/big'),
  read: (step) => fs.readSync(fd, buffer, 0, buffer.length, (step % 256) * buffer.length),
  append: () => { fs.writeSync(fd, buffer); fs.ftruncateSync(fd, 0); fs.fsyncSync(fd); },
};
for (let step = 0; ; step++) {
  roles[role](step);
  fs.writeSync(1, '.');
}`;
