import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ExitCode, isErrnoName } from '@cortexfs/abi/errno';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { runtimeTree } from '@cortexfs/abi/paths';
import { mountReceipt } from '@cortexfs/linux/mount-receipt';
import { findPeerBin } from '@cortexfs/linux/peer-bin';
import { whyNoAnswer } from '../place/root.ts';

/** How long a mount may take to answer, in milliseconds. */
const patience = 30_000;

/**
 * Starts the mount's daemon as the leader of its own session, its output in a log file, and resolves when the root answers.
 * @throws CortexError with the daemon's own last words when it ends before that; ETIMEDOUT when it does not answer.
 */
export async function startDaemon(root: string, args: readonly string[], runtime: string): Promise<void> {
  const log = runtimeTree(runtime).mountLog;
  const output = openSync(log, 'a', 0o600);
  const begin = fstatSync(output).size;
  const script = findPeerBin('cortexfs-fuse');
  const child = spawn(process.execPath, [script, ...args], {
    detached: true,
    stdio: ['ignore', output, output],
    cwd: '/',
  });
  closeSync(output);
  const failure = new Promise<Error>((resolve) => child.once('error', resolve));
  await Promise.race([
    answering(root, runtime, child, () => lastWords(log, begin)),
    failure.then((error) => Promise.reject(fromNodeError(error))),
  ]);
  child.unref();
}

/** The receipt comes last: whoever asks for the mount afterwards finds it. */
async function answering(
  root: string,
  runtime: string,
  child: ChildProcess,
  words: () => CortexError,
): Promise<void> {
  for (const deadline = performance.now() + patience; performance.now() < deadline; await sleep(20)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new DaemonError(words(), child.exitCode);
    if (mountReceipt(runtime)?.pid === child.pid && whyNoAnswer(root) === undefined) return;
  }
  child.kill();
  throw new CortexError('ETIMEDOUT', `no answer within ${patience / 1000} s`, { path: root, layer: 'mount' });
}

/** The daemon's error, with its own exit code: it knows better than the errno name whether FUSE is to be had here. */
class DaemonError extends CortexError {
  readonly #status: number | null;

  constructor({ code, message, layer, hint }: CortexError, status: number | null) {
    super(code, message, { layer, hint });
    this.#status = status;
  }

  override get exitCode(): ExitCode {
    return isExitCode(this.#status) ? this.#status : super.exitCode;
  }
}

const isExitCode = (status: number | null): status is ExitCode =>
  status === 1 || status === 2 || status === 13 || status === 69 || status === 70;

/** The error that the daemon printed before it ended: `cortexfs-fuse: CODE: MESSAGE`, then `hint: …`. */
function lastWords(log: string, begin: number): CortexError {
  const said = readFileSync(log).subarray(begin).toString('utf8').trim().split('\n');
  const line = said.findLast((text) => text.startsWith('cortexfs-fuse: ')) ?? '';
  const [code, message] = splitCode(line.slice('cortexfs-fuse: '.length));
  const hint =
    said.findLast((text) => text.startsWith('hint: '))?.slice('hint: '.length) ?? `the log is ${log}`;
  return new CortexError(code, message || 'the daemon ended at once', { layer: 'mount', hint });
}

function splitCode(line: string) {
  const end = line.indexOf(': ');
  const code = line.slice(0, end);
  return isErrnoName(code) ? ([code, line.slice(end + 2)] as const) : (['EIO', line] as const);
}
