// Runs in a mount namespace of its own (device.test.ts) and prints one line of JSON for each case: what was done and what is wrong.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Changing, STEPS } from '../../src/step/lists.ts';
import { reopened } from '../support/store.ts';
import { type Frozen, freeze } from './frozen.ts';
import { faultOf, resolve, SCENES, siteOf } from './scenes.ts';
import { CALLS, type Call, type Fault, failCalls } from './seccomp.ts';
import { Tmpfs } from './tmpfs.ts';

export interface Case {
  kind: string;
  command: Changing;
  what: string;
  /** How the command ended: `done`, or the error's code. */
  end: string;
  wrong: string[];
}

/** What a thread does while its calls fail. */
interface Order {
  calls: readonly Call[];
  fault: Fault;
  moments: readonly { folder: string; command: Changing; after: string | undefined }[];
}

const commands = Object.keys(STEPS) as Changing[];
const MOMENTS = commands.flatMap((command) =>
  [undefined, ...STEPS[command].map(({ name }) => name)].map((after) => ({ command, after })),
);
const FAULTS: readonly Fault[] = ['EIO', 'ENOSPC', 'EROFS'];
/** From here on a removed file is still held open, and Linux makes no file system read-only that has one. */
const HOLDS_REMOVED = ['empty-quarantine', 'remove-quarantine', 'remove-stage'];

/** Whether one can be installed again is tried after every fourth. */
let reported = 0;

if (isMainThread) await main(process.argv.includes('full'));
else parentPort!.postMessage(await attempt(workerData as Order));

async function main(full: boolean): Promise<void> {
  await readOnlyAfterEachStep();
  for (const what of ['blocks', 'inodes'] as const)
    for (const command of commands) await fullDevice(command, what);
  const kinds: (readonly Call[])[] = [CALLS, ...CALLS.map((call) => [call])];
  for (const [index, calls] of kinds.entries()) {
    // Every day each moment is met by one kind of failure.
    const everyday = MOMENTS.filter((_, moment) => moment % kinds.length === index);
    if (full) for (const fault of FAULTS) await failingCalls(calls, fault, MOMENTS);
    else await failingCalls(calls, FAULTS[index % FAULTS.length]!, everyday);
  }
}

/** EROFS: the file system becomes read-only while each command stands after each of its steps. */
async function readOnlyAfterEachStep(): Promise<void> {
  const tmpfs = new Tmpfs('size=64m');
  const frozen: Frozen[] = [];
  for (const { command, after } of MOMENTS) {
    if (after !== undefined && HOLDS_REMOVED.includes(after)) continue;
    frozen.push(await freeze(command, after, await siteOf(command, tmpfs.path)));
  }
  tmpfs.readOnly();
  const ends: string[] = [];
  for (const one of frozen) ends.push(await one.goOn());
  const whileReadOnly = [];
  for (const { command, site } of frozen) whileReadOnly.push(await faultOf(command, site));
  tmpfs.writable();
  for (const [index, one] of frozen.entries()) {
    await report('EROFS', one, `after ${one.after}`, ends[index]!, [whileReadOnly[index]]);
  }
  tmpfs.unmount();
}

/** ENOSPC: so few blocks or inodes are left that each write in turn is the one that does not fit. */
async function fullDevice(command: Changing, what: 'blocks' | 'inodes'): Promise<void> {
  for (let left = 0, end = ''; end !== 'done'; left++) {
    const tmpfs = new Tmpfs('size=2m,nr_inodes=64');
    const one = await freeze(command, undefined, await siteOf(command, tmpfs.path));
    const remove = tmpfs.fill(what, left);
    end = await one.goOn();
    const names = one.site.names().join();
    // To go back needs no space: nothing may be left behind.
    const kept = SCENES[command].old === undefined ? '' : 'example.echo,example.echo.d';
    const fault = end === 'done' || names === kept ? undefined : `left: ${names}`;
    remove();
    await report('ENOSPC', one, `${left} ${what} left`, end, [fault]);
    tmpfs.unmount();
    if (left > 64) throw new Error(`${command} never fits`);
  }
}

/** The kernel fails calls that change something: all, or one kind of them, from each of the moments on. */
async function failingCalls(calls: readonly Call[], fault: Fault, chosen: typeof MOMENTS): Promise<void> {
  const tmpfs = new Tmpfs('size=64m');
  const moments = [];
  for (const { command, after } of chosen)
    moments.push({ command, after, folder: (await siteOf(command, tmpfs.path)).folder });
  const ends = await inThread({ calls, fault, moments });
  for (const [index, { command, after, folder }] of moments.entries()) {
    const what = `${calls.length === 1 ? calls[0] : 'every change'} fails with ${fault} after ${after}`;
    await report('calls', { command, site: reopened(folder) }, what, ends[index]!, []);
  }
  tmpfs.unmount();
}

function inThread(order: Order): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: order, trackUnmanagedFds: false });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** In a thread of its own, which is the only one whose calls fail. */
async function attempt({ calls, fault, moments }: Order): Promise<string[]> {
  const frozen: Frozen[] = [];
  for (const { command, after, folder } of moments)
    frozen.push(await freeze(command, after, reopened(folder)));
  failCalls(calls, fault);
  const ends: string[] = [];
  for (const one of frozen) ends.push(await one.goOn());
  return ends;
}

async function report(
  kind: string,
  { command, site }: Pick<Frozen, 'command' | 'site'>,
  what: string,
  end: string,
  faults: (string | undefined)[],
): Promise<void> {
  faults.push(await faultOf(command, site), await resolve(command, site, reported++ % 4 === 0));
  const line: Case = { kind, command, what, end, wrong: faults.filter((fault) => fault !== undefined) };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  site.remove();
}
