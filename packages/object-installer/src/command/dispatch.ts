import { CortexError, errorJson, errorLines, fromNodeError } from '@cortexfs/abi/errors';
import { quoted } from '@cortexfs/abi/quote';

type Command = (args: readonly string[]) => Promise<number>;

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  check: async () => (await import('../check/command.ts')).check,
};

/** Commands of the object's life cycle that this version does not have. */
const MISSING = ['install', 'inspect', 'replace', 'upgrade', 'rollback', 'uninstall', 'residue'];

/** Runs the command that the arguments name and returns the exit code. */
export async function dispatch(argv: readonly string[]): Promise<number> {
  const [name = '', ...args] = argv;
  try {
    const command = await commandOf(name);
    return await command(args);
  } catch (err) {
    const error = fromNodeError(err);
    if (args.includes('--json')) process.stdout.write(`${JSON.stringify(errorJson(error))}\n`);
    else process.stderr.write(errorLines('object-installer', error));
    return error.exitCode;
  }
}

async function commandOf(name: string): Promise<Command> {
  if (MISSING.includes(name)) {
    throw new CortexError('ENOTSUP', `this version has no command ${quoted(name)} yet`, {
      hint: 'the only command is: object-installer check MANIFEST',
    });
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    throw new CortexError('EINVAL', `unknown command ${quoted(name)}`, { hint: 'object-installer --help' });
  }
  return COMMANDS[name]!();
}
