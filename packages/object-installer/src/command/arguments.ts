import { CortexError } from '@cortexfs/abi/errors';
import { quoted } from '@cortexfs/abi/quote';

/** What a command takes: operands by name, options with a value, options without. */
export interface Grammar {
  usage: string;
  operands: readonly string[];
  values?: readonly string[];
  flags?: readonly string[];
}

export interface Arguments {
  operands: readonly string[];
  value(option: string): string | undefined;
  has(flag: string): boolean;
}

/** Reads `--option VALUE`, `--option=VALUE`, `--flag` and operands, in any order; behind `--` all are operands. EINVAL. */
export function parseArguments(args: readonly string[], grammar: Grammar): Arguments {
  const { values = [], flags = [] } = grammar;
  const operands: string[] = [];
  const given = new Map<string, string>();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') operands.push(...rest.splice(0));
    else if (!arg.startsWith('-') || arg === '-') operands.push(arg);
    else {
      const [option = '', inline] = split(arg);
      const takesValue = values.includes(option);
      if (!takesValue && !(flags.includes(option) && inline === undefined))
        throw misuse(grammar, `unknown option ${quoted(arg)}`);
      if (takesValue && given.has(option)) throw misuse(grammar, `${option} is given twice`);
      const value = takesValue ? (inline ?? rest.shift()) : '';
      if (value === undefined || (takesValue && value === ''))
        throw misuse(grammar, `${option} needs a value`);
      given.set(option, value);
    }
  }
  requireOperands(operands, grammar);
  const nul = [...operands, ...given.values()].find((text) => text.includes('\0'));
  if (nul !== undefined) throw misuse(grammar, 'an argument holds a NUL');
  return { operands, value: (option) => given.get(option), has: (flag) => given.has(flag) };
}

export function misuse({ usage }: Grammar, why: string): CortexError {
  return new CortexError('EINVAL', why, { hint: `object-installer ${usage}` });
}

function split(arg: string): [string, string | undefined] {
  const equals = arg.indexOf('=');
  return equals < 0 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)];
}

function requireOperands(operands: readonly string[], grammar: Grammar): void {
  const { operands: wanted } = grammar;
  const missing = wanted.find((_, index) => (operands[index] ?? '') === '');
  if (missing !== undefined) throw misuse(grammar, `${missing} is missing`);
  const more = operands[wanted.length];
  if (more !== undefined) throw misuse(grammar, `unexpected argument ${quoted(more)}`);
}
