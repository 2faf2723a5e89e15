import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';

/** Programs of the host that CortexFS runs, and the Debian package that brings each. */
const PACKAGES = {
  bwrap: 'bubblewrap',
  fusermount: 'fuse3',
  fusermount3: 'fuse3',
  mount: 'mount',
  rm: 'coreutils',
  stat: 'coreutils',
  umount: 'mount',
  'systemd-run': 'systemd',
  systemctl: 'systemd',
} as const;

export type HostProgram = keyof typeof PACKAGES;

/** The only places looked at: PATH and the working directory may belong to an attacker. */
export const HOST_DIRECTORIES = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin'];

/**
 * The absolute real path of a host program that only root can have put there. ENOENT when there is none, EACCES when
 * one exists but somebody else than root could have changed it.
 */
export function findHostProgram(
  name: HostProgram,
  directories: readonly string[] = HOST_DIRECTORIES,
): string {
  let untrusted: string | undefined;
  for (const directory of directories) {
    const path = realPathOf(join(directory, name));
    if (path === undefined) continue;
    if (isTrusted(path)) return path;
    untrusted ??= path;
  }
  const hint = `sudo apt-get install ${PACKAGES[name]}`;
  if (untrusted === undefined)
    throw new CortexError('ENOENT', 'program is not installed on this machine', {
      path: name,
      layer: 'runtime',
      hint,
    });
  throw new CortexError('EACCES', 'program is not an executable that only root can change', {
    path: untrusted,
    layer: 'runtime',
    hint,
  });
}

function isTrusted(path: string): boolean {
  const file = lstatSync(path);
  return (
    file.isFile() &&
    (file.mode & 0o111) !== 0 &&
    onlyRootWrites(file) &&
    onlyRootWrites(lstatSync(dirname(path)))
  );
}

function onlyRootWrites({ uid, gid, mode }: Stats): boolean {
  return uid === 0 && (mode & 0o002) === 0 && ((mode & 0o020) === 0 || gid === 0);
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
