import { errorLines, fromNodeError } from '@cortexfs/abi/errors';
import { VERSION } from '@cortexfs/abi/version';
import { usage } from './usage.ts';

const bin = 'cortexfs-fuse';

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return 0;
  }
  if (args.includes('--version')) {
    process.stdout.write(`${bin} ${VERSION}\n`);
    return 0;
  }
  const { parseArguments } = await import('./arguments.ts');
  const options = parseArguments(args);
  const { runMount } = await import('./mount/run.ts');
  return await runMount(options, (line) => process.stderr.write(`${bin}: ${line}\n`));
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  async (error: unknown) => {
    const { exitCodeFor } = await import('./mount/exit-code.ts');
    const known = fromNodeError(error);
    process.stderr.write(errorLines(bin, known));
    process.exitCode = exitCodeFor(known);
  },
);
