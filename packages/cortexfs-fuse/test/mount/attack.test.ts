import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onEachTransport } from '../fixture/each-transport.ts';
import { makeSite, mounted, shell, stop } from '../fixture/mounted.ts';

const self = process.geteuid!();
const SECONDS = 6;

onEachTransport(
  'directories swapped for links while programs work through the mount: nothing outside is reached',
  {},
  async (t, transport) => {
    const site = makeSite(t, { transport });
    const running = await mounted(t, site);
    const outside = join(site.store.base, 'outside');
    mkdirSync(outside, { mode: 0o700 });
    writeFileSync(join(outside, 'f'), 'outside\n', { mode: 0o600 });
    const before = statSync(join(outside, 'f'));
    const inStore = join(site.store.source, `home/${self}`);
    const atMount = join(site.root, `home/${self}`);
    mkdirSync(join(inStore, 'd'));
    writeFileSync(join(inStore, 'd/f'), 'inside\n');

    // In the store behind the mount's back: d is a directory, then a link, and so on.
    const swap = loop(`mv -T d away && ln -s ${outside} d && rm d && mv -T away d`, inStore);
    // Through the mount, never following a link: what is written must never land outside.
    const work = [
      start(process.execPath, ['-e', WORK], atMount),
      loop('cat status; ls agent tool', site.root),
    ];
    // The allowed thing beside it keeps working.
    const policy = `${site.root}/agent/coder.d/policy`;
    const good = [1, 40].map((n) => 'allow coder_t tool:fs.read execute\n'.repeat(n));
    const edits = good.map((value) => loop(`printf '%s' '${value}' > ${policy}`, '/'));
    const seen = new Set<string>();
    for (const end = Date.now() + SECONDS * 1000; Date.now() < end; )
      seen.add((await shell(`cat ${policy}`)).stdout);
    for (const each of [swap, ...work, ...edits]) await each.stop();

    t.strictSame(readdirSync(outside), ['f']);
    t.equal(readFileSync(join(outside, 'f'), 'utf8'), 'outside\n');
    t.match(statSync(join(outside, 'f')), {
      mode: before.mode,
      mtimeMs: before.mtimeMs,
      ctimeMs: before.ctimeMs,
    });
    const torn = [...seen].filter(
      (text) =>
        !good.includes(text) && !text.startsWith('allow coder_t tool:fs.read execute\nallow coder_t model'),
    );
    t.strictSame(torn, [], 'no torn control');
    t.ok(descriptorsOf(running.process.pid!, site.store.source) < 100, 'no descriptor is lost');
    t.equal((await shell(`cat ${site.root}/status`)).stdout, 'ready\n');
    t.equal(await stop(running), 0);
  },
);

/** Writes through a held directory, again and again, never following a link itself. */
const WORK = `
const fs = require('node:fs');
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_RDWR, O_CREAT } = fs.constants;
const tried = (f) => { try { return f(); } catch { return undefined; } };
for (;;) {
  const d = tried(() => fs.openSync('d', O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  if (d === undefined) continue;
  for (const name of ['f', 'g']) {
    const f = tried(() => fs.openSync('/proc/self/fd/' + d + '/' + name, O_RDWR | O_CREAT | O_NOFOLLOW, 0o644));
    if (f === undefined) continue;
    tried(() => fs.writeSync(f, 'inside\\n'));
    tried(() => fs.fchmodSync(f, 0o644));
    tried(() => fs.closeSync(f));
  }
  tried(() => fs.unlinkSync('/proc/self/fd/' + d + '/g'));
  fs.closeSync(d);
}`;

interface Loop {
  stop(): Promise<void>;
}

/** Runs a command in a directory again and again, whatever comes of it. */
function loop(command: string, cwd: string): Loop {
  return start('/bin/sh', ['-c', `while :; do { ${command}; } >/dev/null 2>&1; done`], cwd);
}

function start(program: string, args: string[], cwd: string): Loop {
  const child = spawn(program, args, { cwd, detached: true, stdio: 'ignore' });
  return {
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        process.kill(-child.pid!, 'SIGKILL');
      }),
  };
}

function descriptorsOf(pid: number, below: string): number {
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith(below);
    } catch {
      return false;
    }
  }).length;
}
