import { parseArgs } from 'node:util';
import { CortexError } from '@cortexfs/abi/errors';
import { type CommandSpec, commonOptions, type Invocation } from './command.ts';

/**
 * Parses what follows a command's words.
 * @throws CortexError EINVAL for an unknown option, a missing value or a wrong number of operands.
 */
export function parseCommandLine(spec: CommandSpec, args: readonly string[]): Invocation {
  if (spec.raw) return { values: {}, operands: args, json: args.includes('--json'), root: undefined };
  const { values, positionals } = parseStrictly(spec, args);
  const [least, most] = spec.operands;
  if (positionals.length < least || positionals.length > most)
    throw misuse(spec, operandProblem(spec, positionals.length));
  return {
    values,
    operands: positionals,
    json: values['json'] === true,
    root: typeof values['root'] === 'string' ? values['root'] : undefined,
  };
}

function parseStrictly(spec: CommandSpec, args: readonly string[]) {
  try {
    const options = { ...commonOptions, ...spec.options };
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const [why = 'bad arguments'] = (error as Error).message.split('. ');
    throw misuse(spec, why.charAt(0).toLowerCase() + why.slice(1));
  }
}

function operandProblem(spec: CommandSpec, given: number): string {
  const [least, most] = spec.operands;
  return given < least ? 'an argument is missing' : `at most ${most} arguments, ${given} given`;
}

function misuse(spec: CommandSpec, why: string): CortexError {
  return new CortexError('EINVAL', `${spec.words}: ${why}`, {
    hint: `usage: ctx ${spec.words} ${spec.usage}`.trimEnd(),
  });
}
