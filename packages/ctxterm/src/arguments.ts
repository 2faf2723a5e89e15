import { CortexError } from '@cortexfs/abi/errors';
import { type ObjectName, parseObjectName, parseSessionName, type SessionName } from '@cortexfs/abi/names';

export interface Arguments {
  listen: string;
  meta?: string;
  agent?: ObjectName;
  session?: SessionName;
  cols: number;
  rows: number;
  scrollback: number;
  /** Empty: tsh. */
  command: string[];
}

const options = ['--listen', '--meta', '--agent', '--session', '--cols', '--rows', '--scrollback'] as const;
type Option = (typeof options)[number];

/** Reads the command line. EINVAL names the fault. */
export function parseArguments(argv: readonly string[]): Arguments {
  const { values, command } = split(argv);
  const listen = values.get('--listen');
  if (listen === undefined) throw usage('--listen SOCKET is missing');
  const meta = values.get('--meta');
  const agent = values.get('--agent');
  const session = values.get('--session');
  return {
    listen,
    ...(meta === undefined ? {} : { meta }),
    ...(agent === undefined ? {} : { agent: parseObjectName(agent) }),
    ...(session === undefined ? {} : { session: parseSessionName(session) }),
    cols: number('--cols', values.get('--cols') ?? '80', 1, 1000),
    rows: number('--rows', values.get('--rows') ?? '24', 1, 1000),
    scrollback: number('--scrollback', values.get('--scrollback') ?? '1000', 0, 100_000),
    command,
  };
}

/** Options come first; `--` or the first word that is none begins the command. */
function split(argv: readonly string[]): { values: Map<Option, string>; command: string[] } {
  const values = new Map<Option, string>();
  let at = 0;
  for (; at < argv.length; at++) {
    const word = argv[at]!;
    if (word === '--') return { values, command: argv.slice(at + 1) };
    if (!word.startsWith('-')) break;
    const [name, inline] = cut(word);
    if (!isOption(name)) throw usage(`unknown option ${name}`);
    if (values.has(name)) throw usage(`${name} is given twice`);
    const value = inline ?? argv[++at];
    if (value === undefined || value === '') throw usage(`${name} needs a value`);
    values.set(name, value);
  }
  return { values, command: argv.slice(at) };
}

function cut(word: string): [name: string, value?: string] {
  const equals = word.indexOf('=');
  return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
}

function isOption(name: string): name is Option {
  return (options as readonly string[]).includes(name);
}

function number(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw usage(`${name}: ${JSON.stringify(text)} is not a number from ${min} to ${max}`);
}

function usage(message: string): CortexError {
  return new CortexError('EINVAL', message, { hint: 'see ctxterm --help' });
}
