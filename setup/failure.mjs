/** A step of the set-up that cannot go on: what failed, why, and what to type. */
export class SetupFailure extends Error {
  constructor(what, why, hint, exitCode = 1) {
    super(`${what}: ${why}`);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** Ends the process as the command line promises: one line, a hint, the right exit code. */
export function endWith(name, error) {
  if (!(error instanceof SetupFailure)) {
    process.stderr.write(`${name}: ${error.stack ?? error}\n`);
    process.exit(70);
  }
  process.stderr.write(`${name}: ${error.message}\n`);
  if (error.hint) process.stderr.write(`hint: ${error.hint}\n`);
  process.exit(error.exitCode);
}
