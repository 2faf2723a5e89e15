import { VERSION } from '@cortexfs/abi/version';

const USAGE = `Usage: object-installer check MANIFEST [--json]

Checks a CortexFS object, a tool or an agent, that can be installed.

  check MANIFEST    check the manifest and the executable it names; report every fault; write nothing

  --json            the report, or the error, as JSON
  --help, --version

Not there yet: install, inspect, replace, upgrade, rollback, uninstall, residue.

Exit codes: 0 valid, 1 failure, 2 bad arguments or an invalid object, 13 permission refused, 70 I/O error,
130 interrupted.
`;

const argv = process.argv.slice(2);

if (argv[0] === '--version') {
  process.stdout.write(`object-installer ${VERSION}\n`);
} else if (argv.length === 0) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else if (argv[0] === '--help' || argv[0] === '-h') {
  process.stdout.write(USAGE);
} else {
  const { dispatch } = await import('./command/dispatch.ts');
  process.exitCode = await dispatch(argv);
}
