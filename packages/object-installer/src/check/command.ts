import { CortexError } from '@cortexfs/abi/errors';
import { quoted } from '@cortexfs/abi/quote';
import { checkObject } from './object.ts';
import { exitCodeFor, humanReport, jsonReport } from './report.ts';

interface Options {
  manifest: string;
  json: boolean;
}

/** `check MANIFEST [--json]`: prints the report and returns the exit code. */
export async function check(args: readonly string[]): Promise<number> {
  const { manifest, json } = parseArguments(args);
  const report = await checkObject(manifest);
  if (json) {
    process.stdout.write(`${JSON.stringify(jsonReport(report))}\n`);
  } else {
    const { stdout, stderr } = humanReport(report);
    process.stdout.write(stdout);
    process.stderr.write(stderr);
  }
  return exitCodeFor(report);
}

function parseArguments(args: readonly string[]): Options {
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  const unknown = options.find((arg) => arg.startsWith('-') && arg !== '-' && arg !== '--json');
  if (unknown !== undefined) throw misuse(`unknown option ${quoted(unknown)}`);
  const operands = [...options.filter((arg) => arg !== '--json'), ...(end < 0 ? [] : args.slice(end + 1))];
  const [manifest] = operands;
  if (manifest === undefined || manifest === '') throw misuse('check needs a manifest');
  if (operands.length > 1) throw misuse(`check takes one manifest, got ${operands.length}`);
  if (manifest.includes('\0')) throw misuse('the manifest path holds a NUL');
  return { manifest, json: options.includes('--json') };
}

function misuse(why: string): CortexError {
  return new CortexError('EINVAL', why, { hint: 'object-installer check MANIFEST [--json]' });
}
