import { type CortexError, describeError, errorJson, errorLines, fromNodeError } from '@cortexfs/abi/errors';
import { type Grammar, parseArguments } from '../command/arguments.ts';
import { sourceOf } from '../command/source.ts';
import { targetOf } from '../command/tier.ts';
import { commandWatcher } from '../command/watcher.ts';
import type { Target } from '../object/target.ts';
import { objectJson, objectLine } from '../report/object.ts';
import { print } from '../report/print.ts';
import { inspect } from './inspect.ts';

const grammar: Grammar = {
  usage: 'inspect [--source STORE] CLASS NAME [--tier user|system] [--json]',
  operands: ['CLASS', 'NAME'],
  values: ['--source', '--tier'],
  flags: ['--json'],
};

/** `inspect`: an object that is not managed, or not as its receipt says, is reported as unavailable, exit 1. */
export async function run(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, grammar);
  const target = targetOf(given, grammar);
  const json = given.has('--json');
  try {
    const object = await commandWatcher((watcher) => inspect(sourceOf(given), target, watcher));
    print(
      { lines: [objectLine('managed', object)], json: { status: 'managed', ...objectJson(object) } },
      json,
    );
    return 0;
  } catch (err) {
    const error = fromNodeError(err);
    if (error.code !== 'ENODATA' && error.code !== 'ESTALE') throw err;
    printUnavailable(target, error, json);
    return error.exitCode;
  }
}

function printUnavailable(target: Target, error: CortexError, json: boolean): void {
  const { class: objectClass, name, tier } = target;
  const status = { status: 'unavailable', class: objectClass, name, tier, ...errorJson(error) };
  if (json) process.stdout.write(`${JSON.stringify(status)}\n`);
  else {
    print(
      { lines: [`unavailable ${objectClass}/${name} tier ${tier}: ${describeError(error)}`], json: status },
      false,
    );
    const [, ...hint] = errorLines('', error).split('\n');
    process.stderr.write(hint.join('\n'));
  }
}
