import { VERSION } from '@cortexfs/abi/version';
import { USAGE } from './usage.ts';

/** The bin `tsh`. */
async function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === '--help' || argv[0] === '-h') return say(USAGE);
  if (argv[0] === '--version') return say(`tsh ${VERSION}\n`);
  const { errorLines, fromNodeError } = await import('@cortexfs/abi/errors');
  try {
    const { parseArguments } = await import('./arguments.ts');
    const args = parseArguments(argv);
    const { tsh } = await import('./tsh.ts');
    return await tsh(args);
  } catch (thrown) {
    const error = fromNodeError(thrown, {});
    process.stderr.write(errorLines('tsh', error));
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
