import { CortexError, errorJson, errorLines, fromNodeError } from '@cortexfs/abi/errors';
import { quoted } from '@cortexfs/abi/quote';
import { oneLine } from '@cortexfs/abi/terminal-text';
import { StepFailure } from '../step/step.ts';

type Command = (args: readonly string[]) => Promise<number>;

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  check: async () => (await import('../check/command.ts')).run,
  install: async () => (await import('../install/command.ts')).run,
  inspect: async () => (await import('../inspect/command.ts')).run,
  replace: async () => (await import('../replace/command.ts')).command('replace'),
  upgrade: async () => (await import('../replace/command.ts')).command('upgrade'),
  rollback: async () => (await import('../replace/command.ts')).command('rollback'),
  uninstall: async () => (await import('../uninstall/command.ts')).run,
  residue: async () => (await import('../residue/command.ts')).run,
};

/** What a program is left with that was interrupted. */
const INTERRUPTED = 130;

/** Runs the command that the arguments name and returns the exit code. */
export async function dispatch(argv: readonly string[]): Promise<number> {
  const [name = '', ...args] = argv;
  try {
    const command = await commandOf(name);
    return await command(args);
  } catch (err) {
    const error = fromNodeError(err);
    const more = err instanceof StepFailure ? err : undefined;
    if (args.includes('--json')) process.stdout.write(`${JSON.stringify(failureJson(error, more))}\n`);
    else process.stderr.write(failureLines(error, more));
    return error.code === 'ECANCELED' ? INTERRUPTED : error.exitCode;
  }
}

function failureJson(error: CortexError, failure: StepFailure | undefined): object {
  return failure === undefined
    ? errorJson(error)
    : { ...errorJson(error), step: failure.step, ...failure.remains };
}

/** The error, then what could not be taken back and how to find it. */
function failureLines(error: CortexError, failure: StepFailure | undefined): string {
  const { committed = false, faults = [] } = failure?.remains ?? {};
  const lines = [
    ...(committed ? ['the change itself is done; what comes after it is not'] : []),
    ...faults.map((fault) => `left behind: ${oneLine(fault)}`),
    ...(committed || faults.length > 0
      ? ['hint: object-installer residue audit tells what is left, and what to type']
      : []),
  ];
  return errorLines('object-installer', error) + lines.map((line) => `${line}\n`).join('');
}

async function commandOf(name: string): Promise<Command> {
  if (!Object.hasOwn(COMMANDS, name)) {
    throw new CortexError('EINVAL', `unknown command ${quoted(name)}`, { hint: 'object-installer --help' });
  }
  return COMMANDS[name]!();
}
