import { VERSION } from '@cortexfs/abi/version';

const USAGE = `Usage: object-installer COMMAND …

Checks, installs, changes and removes CortexFS objects: tools and agents that somebody wrote.

  check MANIFEST                          check the manifest and the executable it names; report every fault
  install MANIFEST [--tier T] [--dry-run] install a new object
  inspect CLASS NAME [--tier T]           verify an installed object by its receipt
  replace MANIFEST [--tier T] [--yes]     exchange an installed object, in any order of versions
  upgrade MANIFEST [--tier T] [--yes]     the same, to a higher version only
  rollback MANIFEST [--tier T] [--yes]    the same, to a lower version only; you supply the old manifest and executable
  uninstall CLASS NAME [--tier T] [--yes] remove an installed object
  residue audit                           what stopped commands left in the store, and what to type
  residue cleanup --path PATH --dev DEV --ino INO [--yes]

CLASS is tool or agent; T is user (the default: below home/UID) or system. Without --yes, a command that takes
it only reports the steps that it would take.

  --source STORE    the store, not the mount; default: your own
  --json            the report, or the error, as JSON
  --help, --version

Exit codes: 0 success, 1 conflict or not found, 2 bad arguments or an invalid object, 13 permission refused,
70 I/O error, 130 interrupted.
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
