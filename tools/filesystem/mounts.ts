/** One mount that the process sees. Paths are byte strings (one character a byte). */
export interface Mount {
  readonly point: string;
  readonly type: string;
}

/** File systems that show the kernel, not files of anybody. */
const KERNEL_TYPES = new Set([
  'binfmt_misc',
  'bpf',
  'cgroup',
  'cgroup2',
  'configfs',
  'debugfs',
  'devpts',
  'devtmpfs',
  'efivarfs',
  'mqueue',
  'nsfs',
  'proc',
  'pstore',
  'securityfs',
  'sysfs',
  'tracefs',
]);

/** The mounts of `/proc/self/mountinfo`, given as its bytes in latin1. Lines that do not parse are left out. */
export function parseMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [before, after] = line.split(' - ');
    const point = before?.split(' ')[4];
    const type = after?.split(' ')[0];
    return point?.startsWith('/') && type ? [{ point: unescapeOctal(point), type }] : [];
  });
}

/** The mount that a canonical absolute path lies on: the longest mount point above it, the last one mounted there. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount {
  let best: Mount = { point: '/', type: 'unknown' };
  for (const mount of mounts) {
    if (isBeneath(path, mount.point) && mount.point.length >= best.point.length) best = mount;
  }
  return best;
}

/** Whether a canonical path is the folder itself or lies in it. */
export function isBeneath(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

export function isKernelMount(mount: Mount): boolean {
  return KERNEL_TYPES.has(mount.type);
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
