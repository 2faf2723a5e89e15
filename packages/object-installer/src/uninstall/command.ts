import { type Grammar, parseArguments } from '../command/arguments.ts';
import { sourceOf } from '../command/source.ts';
import { targetOf } from '../command/tier.ts';
import { commandWatcher } from '../command/watcher.ts';
import { objectJson, objectLine } from '../report/object.ts';
import { print } from '../report/print.ts';
import { stepLines } from '../report/steps.ts';
import { uninstall } from './uninstall.ts';

const grammar: Grammar = {
  usage: 'uninstall [--source STORE] CLASS NAME [--tier user|system] [--yes] [--json]',
  operands: ['CLASS', 'NAME'],
  values: ['--source', '--tier'],
  flags: ['--yes', '--json'],
};

/** `uninstall`: a report unless `--yes` is given. */
export async function run(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, grammar);
  const target = targetOf(given, grammar);
  const yes = given.has('--yes');
  const { steps, size, ...object } = await commandWatcher((watcher) =>
    uninstall({ source: sourceOf(given), target, yes }, watcher),
  );
  const facts = { ...object, size: size ?? 0 };
  const line = objectLine(yes ? 'uninstalled' : 'would uninstall', facts);
  const incomplete = size === undefined;
  print(
    {
      lines: [
        incomplete ? `${line} (its executable was gone already)` : line,
        ...stepLines(steps),
        ...(yes ? [] : ['nothing was changed: --yes does it']),
      ],
      json: {
        status: yes ? 'uninstalled' : 'would_uninstall',
        ...objectJson(facts),
        incomplete,
        ...(yes ? {} : { steps }),
      },
    },
    given.has('--json'),
  );
  return 0;
}
