import { bin } from './checkout.mjs';
import { run } from './command.mjs';
import { SetupFailure } from './failure.mjs';

/** Refuses, with what mends it, a Node that is too old. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetupFailure(
    'node',
    `version ${process.versions.node} is older than 20.19`,
    'install Node 20.19 or newer',
    69,
  );
}

/** The built `ctx doctor`'s findings about this machine. */
export async function examineMachine() {
  const { output } = await run(process.execPath, [bin('ctx'), 'doctor', '--json'], {
    quiet: true,
    check: false,
  });
  return JSON.parse(output);
}

/** Refuses, with the reason and what mends it, when one of the named checks failed. */
export function requireChecks(findings, names) {
  const failed = findings.find(({ check, verdict }) => verdict === 'fail' && names.includes(check));
  if (failed) throw new SetupFailure(failed.check, failed.detail, failed.mend, 69);
}
