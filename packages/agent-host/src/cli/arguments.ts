import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CortexError } from '@cortexfs/abi/errors';
import { type ObjectName, parseObjectName, parseSessionName, type SessionName } from '@cortexfs/abi/names';
import { parseStartDirectory, requireCommand } from '../launch/choice.ts';
import { takeReport } from '../launch/report.ts';
import type { SiteOptions } from '../launch/site.ts';
import { parseRequestedMounts, type RequestedMount } from '../sandbox/requested-mount.ts';
import { SUPERVISORS, type Supervisor } from '../supervisor/choice.ts';
import { untilCommand } from './until-command.ts';

const COMMANDS = ['start', 'stop', 'status', 'ps', 'prompt', 'tools', 'env', 'serve', 'terminal'] as const;
const STARTED: readonly Command[] = ['start', 'serve', 'terminal'];
/** Without a NAME these tell of every agent. */
const OF_ALL: readonly Command[] = ['status', 'ps'];
export type Command = (typeof COMMANDS)[number];

export interface Arguments extends SiteOptions {
  command: Command;
  name: ObjectName | undefined;
  session: SessionName;
  /** Absolute; null with --no-default-workspace. */
  workspace: string | null;
  cwd: string | undefined;
  mounts: readonly RequestedMount[];
  /** What stands after `--`. */
  after: readonly string[];
  supervisor: Supervisor | undefined;
  /** Of a role process: the systemd unit that it is. */
  unit: string | undefined;
  json: boolean;
  /** `stop`: every agent of the store. */
  all: boolean;
}

/** One command line. EINVAL names the word that is wrong. */
export function parseArguments(argv: readonly string[]): Arguments {
  const { options: before, command: after } = untilCommand(argv);
  const { values, positionals } = split(before);
  const [word, name, ...rest] = positionals;
  const command = COMMANDS.find((known) => known === word);
  if (command === undefined) throw bad(`${JSON.stringify(word ?? '')} is not a command`);
  if (rest.length > 0) throw bad(`${command}: unexpected argument ${JSON.stringify(rest[0])}`);
  const all = values.all ?? false;
  if (all && (command !== 'stop' || name !== undefined)) throw bad('--all goes with stop, without a name');
  if (name === undefined && !all && !OF_ALL.includes(command)) throw bad(`${command}: NAME is missing`);
  requireSane(command, values, after);
  if (values['report-fd'] !== undefined) takeReport({ fd: values['report-fd'] });
  if (values['report-file'] !== undefined) takeReport({ file: resolve(values['report-file']) });
  return {
    command,
    name: name === undefined ? undefined : parseObjectName(name),
    session: parseSessionName(values.session ?? 'default'),
    workspace: values['no-default-workspace'] ? null : resolve(values.workspace ?? process.cwd()),
    cwd: values.cwd === undefined ? undefined : parseStartDirectory(values.cwd),
    mounts: parseRequestedMounts(values.mount ?? []),
    after,
    root: values.root,
    source: values.source,
    runtime: values.runtime,
    supervisor: parseSupervisor(values.supervisor),
    unit: values.unit,
    json: values.json ?? false,
    all,
  };
}

const text = { type: 'string' } as const;
const options = {
  session: text,
  workspace: text,
  'no-default-workspace': { type: 'boolean' },
  cwd: text,
  mount: { type: 'string', multiple: true },
  root: text,
  source: text,
  runtime: text,
  supervisor: text,
  json: { type: 'boolean' },
  all: { type: 'boolean' },
  unit: text,
  'report-fd': text,
  'report-file': text,
} as const;

function split(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw bad((error as Error).message.split('. ')[0] ?? 'bad arguments');
  }
}

/** What only something that is started can have. */
function requireSane(command: Command, values: ReturnType<typeof split>['values'], after: readonly string[]) {
  if (values.workspace !== undefined && values['no-default-workspace'])
    throw bad('--workspace and --no-default-workspace exclude each other');
  requireCommand(after);
  if (STARTED.includes(command)) return;
  const given = (['cwd', 'mount', 'no-default-workspace'] as const).find(
    (name) => values[name] !== undefined,
  );
  if (given !== undefined) throw bad(`${command}: --${given} goes with start`);
  if (after.length > 0) throw bad(`${command}: a COMMAND after -- goes with start`);
}

function parseSupervisor(word: string | undefined): Supervisor | undefined {
  const found = SUPERVISORS.find((known) => known === word);
  if (found === undefined && word !== undefined) throw bad(`${JSON.stringify(word)} is not a supervisor`);
  return found;
}

function bad(why: string): CortexError {
  return new CortexError('EINVAL', why, { hint: 'agent-host --help' });
}
