import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { findHostProgram, type HostProgram } from '@cortexfs/linux/host-program';
import { type Finding, fail, ok, warn } from '../check.ts';

/** Node, bubblewrap, user namespaces, FUSE, and whether a systemd user manager answers. */
export function checkMachine(): Finding[] {
  return [
    node(),
    program('bubblewrap', 'bwrap', 'bubblewrap'),
    sandbox(),
    fuseDevice(),
    program('fusermount3', 'fusermount3', 'fuse3'),
    systemd(),
  ];
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const recent = major > 20 || (major === 20 && minor >= 19);
  return recent
    ? ok('node', process.version)
    : fail('node', `${process.version} is older than v20.19`, 'install Node 20.19 or newer');
}

function program(check: string, name: HostProgram, debianPackage: string): Finding {
  try {
    return ok(check, findHostProgram(name));
  } catch (error) {
    return fail(check, (error as Error).message, `apt-get install ${debianPackage}`);
  }
}

/** Builds a sandbox for real: that is what the kernel, a container or a security module may forbid. */
function sandbox(): Finding {
  const check = 'user namespaces';
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
  try {
    execFileSync(findHostProgram('bwrap'), probe, { env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
    return ok(check, 'a sandbox can be built');
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? (error as Error).message).trim();
    return fail(
      check,
      said.split('\n')[0] ?? 'refused',
      'as root: sysctl -w user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1',
    );
  }
}

function fuseDevice(): Finding {
  if (!existsSync('/dev/fuse'))
    return fail(
      'fuse',
      '/dev/fuse does not exist',
      'modprobe fuse, or give the container --device /dev/fuse',
    );
  try {
    closeSync(openSync('/dev/fuse', constants.O_RDWR));
    return ok('fuse', '/dev/fuse opens');
  } catch (error) {
    return fail(
      'fuse',
      `/dev/fuse: ${(error as NodeJS.ErrnoException).code}`,
      'as root: chmod 0666 /dev/fuse',
    );
  }
}

function systemd(): Finding {
  const bus = `${process.env['XDG_RUNTIME_DIR'] ?? `/run/user/${process.getuid!()}`}/systemd/private`;
  return existsSync(bus)
    ? ok('systemd', 'a user manager runs')
    : warn('systemd', 'no user manager; agents run under the built-in supervisor');
}
