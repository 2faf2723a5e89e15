import { VERSION } from '@cortexfs/abi/version';
import { USAGE } from './usage.ts';

/** The bin `ctxterm`. */
async function main(argv: readonly string[]): Promise<number> {
  // Only words before the command are ours.
  if (argv[0] === '--help' || argv[0] === '-h') return say(USAGE);
  if (argv[0] === '--version') return say(`ctxterm ${VERSION}\n`);
  const { errorLines, fromNodeError } = await import('@cortexfs/abi/errors');
  try {
    const { parseArguments } = await import('./arguments.ts');
    const args = parseArguments(argv);
    const { serve } = await import('./serve.ts');
    return await serve(args);
  } catch (thrown) {
    const error = fromNodeError(thrown, {});
    process.stderr.write(errorLines('ctxterm', error));
    return error.exitCode;
  }
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
