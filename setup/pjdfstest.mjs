// npm run pjdfstest -- DIR [FILTER…]: runs the built pjdfstest in DIR (docs/posix.md) over a home and a shared space of a real mount.
// Exit code: 0 when everything passed, 1 when something failed, 2 when it cannot run.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkout } from './checkout.mjs';
import { turbo } from './packages.mjs';

const [source, ...filters] = process.argv.slice(2);
const pjdfstest = source && resolve(source);
const why = reasonNotTo();
if (why !== undefined) {
  process.stderr.write(`pjdfstest: ${why}\nhint: docs/posix.md\n`);
  process.exit(2);
}
await turbo(['run', 'build', '--filter=@cortexfs/cortexfs-fuse', '--output-logs=errors-only']);
const base = mkdtempSync('/tmp/cfs-pjd-');
try {
  process.exitCode = await runOver(['home/0', 'shared/space']);
} finally {
  rmSync(base, { recursive: true, force: true });
}

function reasonNotTo() {
  if (pjdfstest === undefined) return 'usage: npm run pjdfstest -- DIR [FILTER…]';
  if (process.getuid() !== 0) return 'it needs root, to be several users';
  if (!existsSync(join(pjdfstest, 'pjdfstest'))) return `${pjdfstest} holds no program pjdfstest`;
  return undefined;
}

async function runOver(trees) {
  chmodSync(base, 0o755);
  const mount = startMount(trees);
  try {
    await mount.serves();
    let failed = 0;
    for (const tree of trees) failed += (await prove(join(base, 'ctx', tree))) === 0 ? 0 : 1;
    return failed === 0 ? 0 : 1;
  } finally {
    await mount.stop();
  }
}

function startMount(trees) {
  for (const directory of ['agent', 'tool', 'model', 'bin', ...trees])
    mkdirSync(join(base, 'store', directory), { recursive: true });
  chmodSync(join(base, 'store/home/0'), 0o700);
  for (const [directory, mode] of Object.entries({ ctx: 0o755, run: 0o700 }))
    mkdirSync(join(base, directory), { mode });
  const bin = join(checkout, 'packages/cortexfs-fuse/dist/cortexfs-fuse.js');
  const places = Object.entries({ source: 'store', mount: 'ctx', runtime: 'run' }).flatMap(
    ([option, name]) => [`--${option}`, join(base, name)],
  );
  const daemon = spawn(process.execPath, [bin, ...places, '--runner', '/bin/true', '--allow-other'], {
    stdio: 'inherit',
  });
  const ended = new Promise((resolve) => daemon.once('close', resolve));
  return {
    async serves() {
      while (!existsSync(join(base, 'run/mount.json'))) {
        if (daemon.exitCode !== null) throw new Error(`the mount ended with ${daemon.exitCode}`);
        await sleep(20);
      }
    },
    async stop() {
      daemon.kill();
      await ended;
    },
  };
}

/** The tests work in the directory that they are started in. */
async function prove(directory) {
  process.stdout.write(`${directory.slice(base.length + 5)}\n`);
  const tests = join(pjdfstest, 'tests');
  const wanted =
    filters.length === 0 ? ['-r', tests] : ['-r', ...filters.map((filter) => join(tests, filter))];
  const child = spawn('prove', ['-j2', ...wanted], {
    cwd: directory,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
}
