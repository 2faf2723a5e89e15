import { CortexError } from '@cortexfs/abi/errors';

export interface Arguments {
  root?: string;
  list: boolean;
  json: boolean;
  frames: boolean;
  /** The command and its arguments; empty for a REPL. */
  words: string[];
}

/**
 * Options end at the first word that is none, at `--`, and at `--frames`, whose words come from a model and are never
 * options: everything after it belongs to the command.
 */
export function parseArguments(argv: readonly string[]): Arguments {
  const args: Arguments = { list: false, json: false, frames: false, words: [] };
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!;
    if (word === '--list') args.list = true;
    else if (word === '--json') args.json = true;
    else if (word === '--root') args.root = directory(argv[++at]);
    else if (word.startsWith('--root=')) args.root = directory(word.slice('--root='.length));
    else if (word === '--frames') return { ...args, frames: true, words: argv.slice(at + 1) };
    else if (word.startsWith('-') && word !== '--') throw usage(`unknown option ${word}`);
    else {
      args.words = argv.slice(word === '--' ? at + 1 : at);
      break;
    }
  }
  if (args.list && args.words.length > 0) throw usage('--list takes no command');
  return args;
}

function directory(value: string | undefined): string {
  if (value === undefined || value === '') throw usage('--root needs a directory');
  return value;
}

function usage(message: string): CortexError {
  return new CortexError('EINVAL', message, { hint: 'see tsh --help' });
}
