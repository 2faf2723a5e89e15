import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Test } from 'tap';
import { atScale } from '../setup/test-scale.ts';
import { Clone, type Person } from './clone.ts';

// What a stranger types first, in a clone at a new path that has nothing installed or built.

const listing = '!call fs.list {"path":"/workspace"}';

export interface Stranger extends Person {
  readonly home: string;
  readonly runtime: string;
}

export async function firstFiveMinutes(t: Test, person: Stranger): Promise<void> {
  const clone = new Clone(`${person.home}/clone`, person);
  t.teardown(() => clone.npm(person.home, ['run', 'undo']));
  const project = makeProject(person, 'project');

  const first = await timed(() => clone.start(project, [listing]));
  t.equal(first.code, 0, first.err);
  t.same(
    namesIn(first.out),
    ['notes.md', 'with blank.txt'],
    'the names in the directory that it was started from',
  );

  const session = `${person.home}/.local/share/cortexfs/store/home/${person.uid}/agent/coder/session/default`;
  const messages = readLines(`${session}/messages.jsonl`);
  t.same(
    messages.map(({ role }) => role),
    ['user', 'tool', 'assistant'],
  );
  t.equal(messages[0]?.content?.[0]?.text, listing);
  const types = readLines(`${session}/events.jsonl`).map(({ type }) => type);
  for (const type of ['start', 'tool_call', 'tool_result', 'message', 'done'])
    t.ok(types.includes(type), `event ${type}`);
  t.equal(types.at(-1), 'done');

  const help = await clone.start(project, ['--help']);
  t.match(help, { code: 0, out: /^Usage: npm start/m, err: '' }, 'help is told, not sent to the agent');

  const second = await timed(() => clone.start(project, ['!say again']));
  t.match(second.out, /^again$/m);
  const steps = [
    'packages',
    'build',
    'bubblewrap and FUSE',
    'reference tree',
    'mount',
    'coder in its sandbox',
  ];
  for (const step of steps) t.match(second.err, new RegExp(`${step}.* … in place`), step);
  t.ok(
    second.seconds < first.seconds,
    `the second run took ${second.seconds} s, the first ${first.seconds} s`,
  );

  const piped = await clone.start(project, [], { input: '!say from stdin\n' });
  t.match(piped, { code: 0, out: /^from stdin$/m });

  const other = makeProject(person, 'other');
  writeFileSync(`${other}/only here`, '');
  const moved = await clone.start(other, [listing]);
  t.ok(namesIn(moved.out).includes('only here'), 'the agent works where the person is');

  await interruptions(t, clone, project, person);
  await undo(t, clone, person);
}

/** Interrupted at any moment, also by force, a run leaves nothing that breaks the next one. */
async function interruptions(t: Test, clone: Clone, project: string, person: Stranger): Promise<void> {
  const moments = [
    { after: 300, signal: 'SIGINT', fresh: false },
    { after: 1500, signal: 'SIGTERM', fresh: true },
    { after: 4000, signal: 'SIGKILL', fresh: true },
    { after: 900, signal: 'SIGKILL', fresh: false },
    { after: 1300, signal: 'SIGKILL', fresh: false },
  ] as const;
  // Every day each person meets every other moment, and the two of them all.
  const mine = moments.filter((_, index) => index % 2 === atScale(index % 2, person.uid === 0 ? 0 : 1));
  for (const { after, signal, fresh } of mine) {
    if (fresh) rmSync(`${clone.path}/dist/stamp`, { recursive: true, force: true });
    else await clone.npm(project, ['run', 'undo']);
    await clone.start(project, ['!say interrupted'], { kill: { after, signal } });
    endStragglers(person, clone);
    const next = await clone.start(project, ['!say fine']);
    t.match(next, { code: 0, out: /^fine$/m }, `after ${signal} at ${after} ms: ${next.err}`);
  }
}

/** npm does not hand every signal on: what it started is ended the same way, as a closed terminal window would. */
function endStragglers({ uid }: Stranger, clone: Clone): void {
  spawnSync('pkill', ['-KILL', '-U', String(uid), '-f', `${clone.path}/(setup|node_modules)/`]);
  spawnSync('pkill', ['-KILL', '-U', String(uid), '-f', 'node setup/start.mjs !say interrupted']);
}

async function undo(t: Test, clone: Clone, person: Stranger): Promise<void> {
  const undone = await clone.npm(person.home, ['run', 'undo']);
  t.equal(undone.code, 0, undone.err);
  const again = await clone.npm(person.home, ['run', 'undo']);
  t.match(again, { code: 0, err: /^undone\./m }, 'with nothing left to undo it is no failure');
  t.notOk(existsSync(person.runtime), 'runtime files are gone');
  t.notOk(existsSync(`${person.home}/.local/share/cortexfs`), 'the store is gone');
  t.notMatch(readFileSync('/proc/self/mountinfo', 'utf8'), person.runtime, 'the mount is gone');
  const left = spawnSync('pgrep', ['-a', '-U', String(person.uid), '-f', `${clone.path}/packages`]);
  t.equal(left.stdout.toString(), '', 'no process is left');
}

function makeProject(person: Stranger, name: string): string {
  const folder = `${person.home}/${name}`;
  mkdirSync(folder);
  for (const file of ['notes.md', 'with blank.txt']) writeFileSync(`${folder}/${file}`, 'x\n');
  execFileSync('chown', ['-R', `${person.uid}:${person.gid}`, folder]);
  return folder;
}

/** The answer of a listing is a line of its own; npm prints its own before. */
function namesIn(out: string): string[] {
  const line = out.split('\n').find((text) => text.startsWith('[')) ?? '[]';
  return (JSON.parse(line) as { name: string }[]).map(({ name }) => name);
}

interface Line {
  readonly role?: string;
  readonly type?: string;
  readonly content?: readonly { readonly text?: string }[];
}

function readLines(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

async function timed<T>(work: () => Promise<T>): Promise<T & { seconds: number }> {
  const begin = Date.now();
  const result = await work();
  return { ...result, seconds: (Date.now() - begin) / 1000 };
}
