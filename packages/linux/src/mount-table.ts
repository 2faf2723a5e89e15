import { readFileSync } from 'node:fs';

/** One line of `/proc/PID/mountinfo`: a mount as the kernel lists it. */
export interface Mount {
  /** Unique among the mounts of the moment; `/proc/PID/fdinfo/FD` names it as `mnt_id`. */
  readonly id: number;
  /** Which part of the file system is shown there, `/` for all of it. */
  readonly root: string;
  /** Where it is mounted, as the process sees it. */
  readonly point: string;
  readonly readOnly: boolean;
  /** Such as `ext4`, or `fuse.cortexfs` for ours. */
  readonly type: string;
  readonly source: string;
}

/** The type that CortexFS's own mounts have. */
export const CORTEX_TYPE = 'fuse.cortexfs';

/**
 * All mounts that a process sees, in the order in which they lie over one another. It is the kernel's table that is
 * asked, never a mount: that may hang. `latin1` keeps paths as byte strings. Throws ENOENT when there is no such process.
 */
export function readMountTable(pid: number | 'self' = 'self', encoding: 'utf8' | 'latin1' = 'utf8'): Mount[] {
  return parseMountTable(readFileSync(`/proc/${pid}/mountinfo`, encoding));
}

/** Lines that make no sense are left out. */
export function parseMountTable(text: string): Mount[] {
  return text.split('\n').flatMap(parseLine);
}

/** What is mounted at exactly this canonical path, the uppermost last. */
export function mountsAt(path: string): Mount[] {
  return readMountTable().filter(({ point }) => point === path);
}

/** The mount that an open file or directory is on, also while it is no longer in the tree; undefined when it is not listed. */
export function mountOfDescriptor(fd: number): Mount | undefined {
  const id = /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
  return readMountTable().find((mount) => mount.id === Number(id));
}

/** The CortexFS mount that is uppermost at a canonical path, also one whose daemon died. */
export function cortexMountAt(path: string): Mount | undefined {
  const upper = mountsAt(path).at(-1);
  return upper?.type === CORTEX_TYPE ? upper : undefined;
}

/** The mount that a canonical path lies on: of the longest mount points at or above it the last one. */
export function mountOf<M extends Pick<Mount, 'point'>>(path: string, mounts: readonly M[]): M | undefined {
  let best: M | undefined;
  for (const mount of mounts)
    if (isBeneath(path, mount.point) && mount.point.length >= (best?.point.length ?? 0)) best = mount;
  return best;
}

/** Whether a canonical path is the folder itself or lies in it. */
export function isBeneath(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

function parseLine(line: string): Mount[] {
  // Optional fields come before the dash, so what is behind it is found by the dash alone.
  const dash = line.indexOf(' - ');
  const [id, , , root, point, options] = line.slice(0, Math.max(dash, 0)).split(' ');
  const [type, source] = line.slice(dash + 3).split(' ');
  if (!id || !/^\d+$/.test(id) || !root || !point?.startsWith('/') || !options || !type) return [];
  const readOnly = options.split(',').includes('ro');
  return [
    { id: Number(id), root: plain(root), point: plain(point), readOnly, type, source: plain(source ?? '') },
  ];
}

/** The kernel writes blanks, tabs, newlines and backslashes as three octal digits. */
function plain(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
