import type { ObjectReceipt } from '@cortexfs/abi/receipt/object';
import { printInvalid } from '../check/report.ts';
import { type Grammar, parseArguments } from '../command/arguments.ts';
import { sourceOf } from '../command/source.ts';
import { tierOf } from '../command/tier.ts';
import { commandWatcher } from '../command/watcher.ts';
import { candidateJson, candidateLine, objectJson, objectLine, versionJson } from '../report/object.ts';
import { print } from '../report/print.ts';
import { stepLines } from '../report/steps.ts';
import type { Verb } from './order.ts';
import { replace } from './replace.ts';

const DONE = { replace: 'replaced', upgrade: 'upgraded', rollback: 'rolled back' } as const;
const WOULD = { replace: 'would replace', upgrade: 'would upgrade', rollback: 'would roll back' } as const;

/** `replace`, `upgrade` and `rollback`: a report unless `--yes` is given. */
export function command(verb: Verb) {
  return (args: readonly string[]): Promise<number> => run(verb, args);
}

async function run(verb: Verb, args: readonly string[]): Promise<number> {
  const grammar: Grammar = {
    usage: `${verb} [--source STORE] MANIFEST [--tier user|system] [--yes] [--json]`,
    operands: ['MANIFEST'],
    values: ['--source', '--tier'],
    flags: ['--yes', '--json'],
  };
  const given = parseArguments(args, grammar);
  const [manifest = ''] = given.operands;
  const tier = tierOf(given, grammar);
  const options = { verb, source: sourceOf(given), manifest, tier, yes: given.has('--yes') };
  const outcome = await commandWatcher((watcher) => replace(options, watcher));
  const json = given.has('--json');
  if (!outcome.valid) return printInvalid(outcome, json);
  const { previous } = outcome;
  if (outcome.done) {
    const { object } = outcome;
    const status = DONE[verb].replace(' ', '_');
    print(
      {
        lines: [`${objectLine(DONE[verb], object)} before ${previousWords(previous)}`],
        json: { status, ...objectJson(object), previous: previousJson(previous) },
      },
      json,
    );
    return 0;
  }
  const { candidate, path, steps } = outcome;
  print(
    {
      lines: [
        `${candidateLine(WOULD[verb], candidate, tier)} before ${previousWords(previous)}`,
        ...stepLines(steps),
        'nothing was changed: --yes does it',
      ],
      json: {
        status: WOULD[verb].replaceAll(' ', '_'),
        ...candidateJson(candidate, tier, path),
        previous: previousJson(previous),
        steps,
      },
    },
    json,
  );
  return 0;
}

function previousWords({ object_version, executable }: ObjectReceipt): string {
  return `${object_version === undefined ? '' : `version ${object_version} `}sha256 ${executable.sha256}`;
}

function previousJson(receipt: ObjectReceipt): object {
  return { object_schema: receipt.object_schema, ...versionJson(receipt), sha256: receipt.executable.sha256 };
}
