import { type Grammar, parseArguments } from '../command/arguments.ts';
import { commandWatcher } from '../command/watcher.ts';
import { watchBytes } from '../step/watcher.ts';
import { checkObject } from './object.ts';
import { humanReport, jsonReport, printInvalid } from './report.ts';

const grammar: Grammar = { usage: 'check MANIFEST [--json]', operands: ['MANIFEST'], flags: ['--json'] };

/** `check`: prints the report and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, grammar);
  const [manifest = ''] = given.operands;
  const report = await commandWatcher((watcher) => checkObject(manifest, watchBytes(watcher, 'checking')));
  if (!report.valid) return printInvalid(report, given.has('--json'));
  process.stdout.write(
    given.has('--json') ? `${JSON.stringify(jsonReport(report))}\n` : humanReport(report).stdout,
  );
  return 0;
}
