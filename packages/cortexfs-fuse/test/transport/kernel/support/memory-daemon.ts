// A daemon in its own process: node memory-daemon.js ROOT OPTIONS-AS-JSON, beside its worker. Prints `ready`; detaches on SIGTERM, unmounts on
// SIGUSR2 and prints what came of it, exits at once on SIGHUP.
import type { CortexError } from '@cortexfs/abi/errors';
import { mountKernel } from '../../../../src/transport/kernel/kernel-mount.ts';

const [root = '', options = '{}'] = process.argv.slice(2);
const { allowOther, ...fileSystem } = JSON.parse(options);
// The reader may be gone; that is no reason to stay mounted.
process.stdout.on('error', () => {});
const say = (line: string) => process.stdout.write(`${line}\n`);
try {
  const mount = await mountKernel({
    root,
    source: '/tmp/store',
    worker: new URL('./memory-worker.js', import.meta.url),
    fileSystem,
    allowOther,
    log: (line) => say(`log ${line}`),
  });
  const detach = () => mount.detach().catch((error) => say(`error ${error.code}`));
  process.on('SIGTERM', detach);
  process.on('SIGHUP', () => process.exit(7));
  // The test is gone, however it went: so is its mount.
  process.stdin.on('end', detach).resume();
  process.on('SIGUSR2', () => mount.unmount().catch((error) => say(`error ${error.code}`)));
  say('ready');
  const end = await mount.ended;
  say(`ended ${end.reason}${end.error ? ` ${end.error.code} ${end.error.message}` : ''}`);
  process.stdin.destroy();
} catch (error) {
  const { code, message, hint } = error as CortexError;
  say(`error ${code} ${message} hint: ${hint}`);
}
