import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
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
 * `extra` names further Debian packages by program, as tests need them. Returns what it found.
 */
export async function preparePrograms(extra = []) {
  const missing = [...needed, ...extra].filter(({ program }) => !systemProgram(program));
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
      `install ${names.join(', ')} with this system's package manager`,
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

/** Whether this user can make a FUSE mount; the reason when not. */
export function fuseObstacle() {
  if (!existsSync('/dev/fuse'))
    return {
      why: '/dev/fuse does not exist',
      hint: 'load the kernel module (modprobe fuse), or start the container with --device /dev/fuse',
    };
  try {
    closeSync(openSync('/dev/fuse', constants.O_RDWR));
  } catch (error) {
    return { why: `/dev/fuse: ${error.code}`, hint: 'as root: chmod 0666 /dev/fuse' };
  }
  if (!systemProgram('fusermount3'))
    return { why: 'fusermount3 is not installed', hint: 'apt-get install fuse3' };
}

/** Whether this user can build the sandbox; the reason when not. */
export async function sandboxObstacle() {
  const bwrap = systemProgram('bwrap');
  if (!bwrap) return { why: 'bubblewrap is not installed', hint: 'apt-get install bubblewrap' };
  const probe = [
    '--unshare-user',
    '--unshare-pid',
    '--unshare-net',
    '--ro-bind',
    '/',
    '/',
    '--proc',
    '/proc',
    '/bin/true',
  ];
  const { code, output } = await run(bwrap, probe, { quiet: true, check: false });
  if (code === 0) return;
  return { why: `bubblewrap: ${output.trim().split('\n')[0] || `exit ${code}`}`, hint: userNamespaceHint() };
}

function userNamespaceHint() {
  const restriction = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
  if (readable(restriction))
    return `as root: sysctl -w ${restriction.slice('/proc/sys/'.length).replaceAll('/', '.')}=0`;
  return 'as root: sysctl -w user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1';
}

function readable(path) {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
