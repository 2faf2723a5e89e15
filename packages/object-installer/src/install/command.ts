import { printInvalid } from '../check/report.ts';
import { type Grammar, misuse, parseArguments } from '../command/arguments.ts';
import { sourceOf } from '../command/source.ts';
import { tierOf } from '../command/tier.ts';
import { commandWatcher } from '../command/watcher.ts';
import { candidateJson, candidateLine, objectJson, objectLine } from '../report/object.ts';
import { print } from '../report/print.ts';
import { stepLines } from '../report/steps.ts';
import { install } from './install.ts';

const grammar: Grammar = {
  usage: 'install [--source STORE] MANIFEST [--tier user|system] [--dry-run] [--json]',
  operands: ['MANIFEST'],
  values: ['--source', '--tier'],
  flags: ['--dry-run', '--yes', '--json'],
};

/** `install`: the one command that writes without `--yes`, since it can only add. */
export async function run(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, grammar);
  const dryRun = given.has('--dry-run');
  if (dryRun && given.has('--yes')) throw misuse(grammar, '--dry-run and --yes contradict each other');
  const [manifest = ''] = given.operands;
  const tier = tierOf(given, grammar);
  const outcome = await commandWatcher((watcher) =>
    install({ source: sourceOf(given), manifest, tier, dryRun }, watcher),
  );
  const json = given.has('--json');
  if (!outcome.valid) return printInvalid(outcome, json);
  if (outcome.done) {
    const { object } = outcome;
    print(
      { lines: [objectLine('installed', object)], json: { status: 'installed', ...objectJson(object) } },
      json,
    );
    return 0;
  }
  const { candidate, path, steps } = outcome;
  print(
    {
      lines: [candidateLine('would install', candidate, tier), ...stepLines(steps)],
      json: { status: 'would_install', ...candidateJson(candidate, tier, path), steps },
    },
    json,
  );
  return 0;
}
