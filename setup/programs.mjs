import { existsSync } from 'node:fs';
import { run } from './command.mjs';
import { SetupFailure } from './failure.mjs';
import { say } from './progress.mjs';
import { systemProgram } from './system-program.mjs';

/** What an agent needs of the machine: the program to look for and the Debian package that brings it. */
const needed = [
  { program: 'bwrap', debianPackage: 'bubblewrap' },
  { program: 'fusermount3', debianPackage: 'fuse3' },
];

/**
 * Brings the programs that agents need: as root through apt; otherwise prints the one command to run.
 * `extra` names further Debian packages, by program or by a file of theirs, as tests need them. Returns what it found.
 */
export async function preparePrograms(extra = []) {
  const missing = [...needed, ...extra].filter(({ program, file }) =>
    file ? !existsSync(file) : !systemProgram(program),
  );
  if (missing.length === 0) return 'in place';
  const names = missing.map(({ debianPackage }) => debianPackage);
  const install = `apt-get install -y ${names.join(' ')}`;
  if (process.getuid() !== 0) {
    say(`missing: ${names.join(', ')}. To add: sudo ${install}`);
    return 'incomplete';
  }
  const apt = systemProgram('apt-get');
  if (!apt)
    throw new SetupFailure(
      'set-up',
      `${names.join(', ')} missing and no apt-get here`,
      "install them with this system's package manager",
      69,
    );
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run(apt, ['update'], { env, quiet: true, check: false });
  await run(apt, ['install', '-y', '--no-install-recommends', ...names], {
    env,
    quiet: true,
    hint: `run: ${install}`,
  });
  return `installed ${names.join(', ')}`;
}
