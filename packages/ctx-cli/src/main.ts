import { VERSION } from '@cortexfs/abi/version';

const argv = process.argv.slice(2);

if (argv[0] === '--version' || (argv[0] === 'version' && argv.length === 1))
  process.stdout.write(`ctx ${VERSION}\n`);
else void run();

async function run(): Promise<void> {
  const { dispatch } = await import('./command/dispatch.ts');
  process.exitCode = await dispatch(argv);
}
